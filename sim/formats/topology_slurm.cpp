#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "core/hostlist.hpp"
#include "formats/switch_tree.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

std::string lower(std::string_view text)
{
    std::string word{text};
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

struct Setting {
    std::string key{};  ///< in lower case: Slurm does not tell them apart
    std::string_view value{};
    Place place{};
};

class Parser
{
public:
    explicit Parser(TopologySource& source) : source_{source}
    {
        for (std::size_t i = 0; i < source.lines().size(); ++i) {
            line(source.lines()[i], static_cast<int>(i) + 1);
        }
        if (tree_.order.empty() && !source.failed()) {
            source.error(
                {}, blocks_ > 0 ? "has blocks of nodes but no switches" : "describes no switch",
                "write SwitchName=leaf1 Nodes=node[1-8]");
        }
        if (blocks_ > 0 && !source.failed()) {
            source.warn(first_block_,
                        counted(blocks_, "block line") +
                            " left out: they say how to schedule, not what is cabled");
        }
    }

    [[nodiscard]] const SwitchTree& tree() const { return tree_; }

private:
    void line(std::string_view text, int number)
    {
        const auto comment = text.find('#');
        auto words = words_of(text.substr(0, comment), number);
        std::vector<Setting> settings;
        for (const auto& word : words) {
            const auto equals = word.text.find('=');
            if (equals == word.text.npos) {
                source_.error(word.place, fmt::format("\"{}\" is not KEY=VALUE", word.text));
                return;
            }
            settings.push_back(
                {lower(word.text.substr(0, equals)), word.text.substr(equals + 1), word.place});
        }
        if (settings.empty()) {
            return;
        }
        if (settings.front().key == "blockname" || settings.front().key == "blocksizes") {
            first_block_ = ++blocks_ == 1 ? settings.front().place : first_block_;
        } else if (settings.front().key == "switchname") {
            add_switches(settings);
        } else {
            source_.error(settings.front().place,
                          fmt::format("\"{}\" starts no line of topology.conf",
                                      words.front().text.substr(0, words.front().text.find('='))),
                          "write SwitchName=leaf1 Nodes=node[1-8]");
        }
    }

    std::vector<std::string> expanded(const Setting& setting)
    {
        auto names = expand_hostlist(setting.value);
        if (!names) {
            source_.error(setting.place, fmt::format("\"{}\" is not a host list", setting.value),
                          "write names and ranges, as node[1-8,12],login1");
        }
        return names.value_or(std::vector<std::string>{});
    }

    void add_switches(const std::vector<Setting>& settings)
    {
        TreeSwitch below;
        for (const auto& setting : settings) {
            if (setting.key == "nodes") {
                below.nodes = expanded(setting);
            } else if (setting.key == "switches") {
                below.switches = expanded(setting);
            } else if (setting.key == "linkspeed") {
                source_.warn(setting.place,
                             "LinkSpeed has no unit and Slurm itself does not use "
                             "it; bandwidths are those of the options");
            } else if (setting.key != "switchname") {
                source_.error(setting.place, fmt::format("unknown key \"{}\"", setting.key),
                              "write SwitchName, Nodes, Switches or LinkSpeed");
            }
        }
        for (const auto& name : expanded(settings.front())) {
            if (tree_.switches.count(name) != 0) {
                source_.error(settings.front().place,
                              fmt::format("switch {} is described twice, first in line {}", name,
                                          tree_.switches.at(name).place.line));
                continue;
            }
            auto& device = tree_.at(name, settings.front().place);
            device.nodes = below.nodes;
            device.switches = below.switches;
        }
    }

    TopologySource& source_;
    SwitchTree tree_;
    std::size_t blocks_ = 0;
    Place first_block_{};
};

}  // namespace

Topology read_slurm(TopologySource& source)
{
    const Parser parser{source};
    if (source.failed()) {
        return {};
    }
    auto topology = assemble_tree(source, parser.tree());
    topology.format = "Slurm topology.conf";
    return topology;
}

}  // namespace sim::formats

#include <fmt/format.h>

#include "core/hostlist.hpp"
#include "formats/switch_tree.hpp"
#include "formats/topology_readers.hpp"
#include "formats/topology_yaml.hpp"

namespace sim::formats
{

namespace
{

class Parser
{
public:
    Parser(TopologySource& source, const YAML::Node& document) : source_{source}
    {
        YamlMap top{source, document};
        const auto switches = top.take("switches");
        const auto blocks = top.take("blocks");
        if (!switches.IsDefined() || !blocks.IsDefined()) {
            source.error(top.place(), "has no switches or no blocks",
                         "topograph's models have both");
            return;
        }
        read_switches(switches);
        read_blocks(blocks);
        leave_out(top);
        if (left_out_ > 0) {
            source.warn(first_left_out_, counted(left_out_, "label") +
                                             " left out: they say where "
                                             "things stand, not what is "
                                             "cabled");
        }
    }

    [[nodiscard]] const SwitchTree& tree() const { return tree_; }

private:
    void leave_out(const YamlMap& map)
    {
        for (const auto& key : map.rest()) {
            if (key.text == "labels" || key.text == "annotations") {
                first_left_out_ = ++left_out_ == 1 ? key.place : first_left_out_;
            } else {
                source_.error(key.place, fmt::format("unknown key \"{}\"", key.text));
            }
        }
    }

    std::vector<std::string> names(const std::vector<YamlText>& lists)
    {
        std::vector<std::string> all;
        for (const auto& list : lists) {
            const auto expanded = expand_hostlist(list.text);
            if (!expanded) {
                source_.error(list.place, fmt::format("\"{}\" is not a host list", list.text),
                              "write names and ranges, as node[1-8,12]");
                continue;
            }
            all.insert(all.end(), expanded->begin(), expanded->end());
        }
        return all;
    }

    void read_switches(const YAML::Node& node)
    {
        if (!node.IsMap()) {
            source_.error(place_of(node), "switches is not a mapping of names");
            return;
        }
        for (const auto& entry : node) {
            if (!entry.first.IsScalar()) {
                source_.error(place_of(entry.first), "is not a switch name");
                continue;
            }
            const auto name = entry.first.Scalar();
            if (tree_.switches.count(name) != 0) {
                source_.error(place_of(entry.first),
                              fmt::format("switch {} is described twice", name));
                continue;
            }
            auto& device = tree_.at(name, place_of(entry.first));
            YamlMap map{source_, entry.second};
            device.switches = names(map.texts("switches").value_or(std::vector<YamlText>{}));
            leave_out(map);
        }
    }

    void read_blocks(const YAML::Node& node)
    {
        if (!node.IsSequence()) {
            source_.error(place_of(node), "blocks is not a list");
            return;
        }
        for (const auto& item : node) {
            YamlMap map{source_, item};
            const auto names_of_switch = map.texts("switch").value_or(std::vector<YamlText>{});
            const auto nodes = map.texts("nodes");
            leave_out(map);
            if (names_of_switch.size() != 1 || !nodes) {
                source_.error(map.place(), "a block needs a switch and nodes");
                continue;
            }
            auto& device = tree_.at(names_of_switch[0].text, names_of_switch[0].place);
            const auto more = names(*nodes);
            device.nodes.insert(device.nodes.end(), more.begin(), more.end());
        }
    }

    TopologySource& source_;
    SwitchTree tree_;
    std::size_t left_out_ = 0;
    Place first_left_out_{};
};

}  // namespace

Topology read_topograph(TopologySource& source)
{
    const auto document = load_yaml(source);
    if (!document) {
        return {};
    }
    const Parser parser{source, *document};
    if (source.failed()) {
        return {};
    }
    auto topology = assemble_tree(source, parser.tree());
    topology.format = "topograph model";
    return topology;
}

}  // namespace sim::formats

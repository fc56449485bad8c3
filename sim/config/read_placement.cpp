#include "config/read_placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "config/vocabulary.hpp"
#include "core/hostlist.hpp"

namespace sim::config
{

namespace
{

using spec::PlacementSpec;

/// Hosts by name, in the order they are listed.
class HostReader
{
public:
    HostReader(Report& report, std::string key, const spec::ClusterSpec& cluster)
        : report_{report}, key_{std::move(key)}, nodes_{cluster.nodes}
    {
        constexpr int kMostNodes = 1 << 20;  // more are refused elsewhere
        for (int node = 0; node < std::min(cluster.nodes, kMostNodes); ++node) {
            number_.emplace(spec::node_name(cluster, node), node);
        }
    }

    void add(const Mark& mark, const std::string& text)
    {
        const auto names = expand_hostlist(text);
        if (!names) {
            report_.error(mark, key_, fmt::format("\"{}\" is not a list of hosts", text),
                          "write it as Slurm does: node[0-3,7]");
            return;
        }
        for (const auto& name : *names) {
            add_name(mark, name);
        }
    }

    [[nodiscard]] std::vector<int> take() { return std::move(hosts_); }

private:
    void add_name(const Mark& mark, const std::string& name)
    {
        const auto found = number_.find(name);
        if (found == number_.end()) {
            const auto last = nodes_ > 0 ? nodes_ - 1 : 0;
            report_.error(mark, key_, fmt::format("the cluster has no node \"{}\"", name),
                          fmt::format("its nodes are {} to {}", name_of(0), name_of(last)));
            return;
        }
        if (!seen_.emplace(found->second, mark).second) {
            report_.error(mark, key_, fmt::format("\"{}\" is listed twice", name),
                          "list each host once: its ranks fill all its GPUs");
            return;
        }
        hosts_.push_back(found->second);
    }

    [[nodiscard]] std::string name_of(int node) const
    {
        for (const auto& [name, number] : number_) {
            if (number == node) {
                return name;
            }
        }
        return {};
    }

    Report& report_;
    std::string key_;
    int nodes_;
    std::map<std::string, int> number_;
    std::map<int, Mark> seen_;
    std::vector<int> hosts_;
};

/// One list of hosts a line; blank lines and what follows a # are not looked at.
void add_lines(HostReader& hosts, const std::shared_ptr<const Source>& source)
{
    std::istringstream lines{source->text};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const auto text = line.substr(0, line.find('#'));
        const auto first = text.find_first_not_of(" \t\r");
        if (first != std::string::npos) {
            const auto last = text.find_last_not_of(" \t\r");
            hosts.add({source, number, static_cast<int>(first) + 1},
                      text.substr(first, last - first + 1));
        }
    }
}

const Vocabulary<PlacementSpec::Order>& order_words()
{
    using Order = PlacementSpec::Order;
    static const Vocabulary<Order> table{
        {"packed", Order::packed}, {"round_robin", Order::round_robin}, {"random", Order::random}};
    return table;
}

const Vocabulary<PlacementSpec::Unit>& unit_words()
{
    using Unit = PlacementSpec::Unit;
    static const Vocabulary<Unit> table{{"node", Unit::node}, {"rank", Unit::rank}};
    return table;
}

/// `hosts` or `hosts_file`; nothing when neither is written.
void read_hosts(MapReader& reader, Documents& documents, const spec::ClusterSpec& cluster,
                PlacementSpec& placement)
{
    const auto* here = reader.ask("hosts");
    const auto* file = reader.ask("hosts_file");
    if (here == nullptr && file == nullptr) {
        return;
    }
    auto& report = reader.report();
    if (here != nullptr && file != nullptr) {
        report.error(file->mark, reader.path("hosts_file"), "stands beside hosts", "write one");
        return;
    }
    placement.order = PlacementSpec::Order::listed;
    const auto key = reader.path(here != nullptr ? "hosts" : "hosts_file");
    HostReader hosts{report, key, cluster};
    if (const auto text = reader.optional("hosts", words("node[0-3,7]"))) {
        hosts.add(here->mark, *text);
    } else if (const auto name = reader.optional("hosts_file", words("hosts.txt"))) {
        try {
            add_lines(hosts, documents.read(path_from(file->mark, *name), file->mark, key));
        } catch (const InputError& error) {
            report.add(error.diagnostics());
        }
    }
    placement.hosts = hosts.take();
    if (placement.hosts.empty() && !report.failed()) {
        report.error((here != nullptr ? here : file)->mark, key, "lists no host",
                     "write at least one, such as node0");
    }
}

}  // namespace

spec::PlacementSpec read_placement(MapReader& cluster, Documents& documents,
                                   const spec::ClusterSpec& spec)
{
    PlacementSpec placement;
    const auto* node = cluster.ask("placement");
    if (node == nullptr || node->kind != Node::Kind::mapping) {
        placement.order = cluster.defaulted("placement", choice(order_words()), "packed");
        return placement;
    }
    auto reader = cluster.section("placement", "{ order: random }");
    read_hosts(reader, documents, spec, placement);
    if (placement.order != PlacementSpec::Order::listed) {
        placement.order = reader.required("order", choice(order_words()));
        placement.unit = reader.defaulted("unit", choice(unit_words()), "node");
    }
    reader.finish();
    return placement;
}

}  // namespace sim::config

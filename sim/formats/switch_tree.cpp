#include "formats/switch_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/topology_graph.hpp"

namespace sim::formats
{

namespace
{

class Assembly
{
public:
    Assembly(TopologySource& source, const SwitchTree& tree) : source_{source}, tree_{tree}
    {
        for (const auto& name : tree.order) {
            graph_.add_switch(as_name(name));
        }
        for (const auto& name : tree.order) {
            add(name, tree.switches.at(name));
        }
        if (!source.failed()) {
            check_whole();
        }
    }

    Topology finish()
    {
        Topology topology;
        topology.nodes = nodes_;
        topology.network = graph_.finish();
        topology.needs_link_bandwidth = true;
        return topology;
    }

private:
    void add(const std::string& name, const TreeSwitch& device)
    {
        for (const auto& below : device.switches) {
            if (tree_.switches.count(below) == 0) {
                source_.error(device.place, fmt::format("{} has below it the switch {}, which is "
                                                        "not described",
                                                        name, below));
            } else if (claim(below, name, device.place)) {
                graph_.add_cable({as_name(below), as_name(name), std::nullopt, std::nullopt, 1});
            }
        }
        for (const auto& node : device.nodes) {
            if (tree_.switches.count(node) != 0) {
                source_.error(device.place, fmt::format("{} is a switch and a node", node));
            } else if (claim(node, name, device.place)) {
                graph_.add_node(as_name(node), std::nullopt, std::nullopt);
                graph_.add_cable({as_name(node), as_name(name), std::nullopt, std::nullopt, 1});
                ++nodes_;
            }
        }
    }

    bool claim(const std::string& child, const std::string& parent, Place place)
    {
        const auto [entry, is_new] = parent_.try_emplace(child, parent);
        if (!is_new) {
            source_.error(place,
                          fmt::format("{} is below {} and {}", child, entry->second, parent));
        }
        return is_new;
    }

    /// With one parent each, a tree is whole when it has one top.
    void check_whole()
    {
        std::vector<std::string> tops;
        std::copy_if(tree_.order.begin(), tree_.order.end(), std::back_inserter(tops),
                     [&](const auto& name) { return parent_.count(name) == 0; });
        if (nodes_ == 0) {
            source_.error({}, "lists no node");
        } else if (tops.empty()) {
            source_.error({}, "every switch is below another one: they are in a circle");
        } else if (tops.size() > 1) {
            source_.error(
                tree_.switches.at(tops[1]).place,
                fmt::format("{} and {} are both on top, and nothing joins them", tops[0], tops[1]),
                "describe the switch above them");
        }
    }

    TopologySource& source_;
    const SwitchTree& tree_;
    TopologyGraph graph_;
    std::map<std::string, std::string> parent_;
    int nodes_ = 0;
};

}  // namespace

TreeSwitch& SwitchTree::at(const std::string& name, Place place)
{
    const auto [entry, is_new] = switches.try_emplace(name);
    if (is_new) {
        order.push_back(name);
        entry->second.place = place;
    }
    return entry->second;
}

Topology assemble_tree(TopologySource& source, const SwitchTree& tree)
{
    return Assembly{source, tree}.finish();
}

}  // namespace sim::formats

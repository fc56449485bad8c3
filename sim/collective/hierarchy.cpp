#include "collective/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "collective/tree_shapes.hpp"

namespace sim::collective
{
namespace
{

using Nodes = std::vector<NodeGroup>;

/// Every node on its own, over NVLink.
Phase inside_nodes(const Situation& in, Kind kind)
{
    Phase phase;
    for (const auto& node : in.nodes) {
        const auto orders = rings(in.fabric, {node});
        const double part = in.bytes() / static_cast<double>(orders.size());
        for (const auto& order : orders) {
            phase.flows.push_back(in.flows.ring(kind, order, part, in.request.label));
        }
    }
    return phase;
}

/// Rings over the members of equal position on these nodes, `size` bytes each.
void add_rails(const Situation& in, const Nodes& nodes, Kind kind, double size, Phase& phase)
{
    for (std::size_t rail = 0; rail < nodes.front().members.size(); ++rail) {
        std::vector<GpuId> ring;
        for (const auto& node : nodes) {
            ring.push_back(node.members[rail]);
        }
        phase.flows.push_back(in.flows.ring(kind, ring, size, in.label(rail)));
    }
}

/// The switch at the NIC of the node's first member; what tells nodes of different leaves apart.
VertexId leaf_of(const Situation& in, const NodeGroup& node)
{
    const auto& graph = in.fabric.graph;
    const auto nic = in.fabric.nic_of_gpu[node.members.front().index()];
    for (const auto link : graph.out_links(nic)) {
        const auto end = graph.links()[link.index()].to;
        if (fabric::is_switch(graph.vertices()[end.index()].kind)) {
            return end;
        }
    }
    return nic;
}

/// Nodes by leaf, in the order in which the communicator names them.
std::vector<Nodes> groups_of(const Situation& in)
{
    std::vector<Nodes> groups;
    std::vector<VertexId> leaves;
    for (const auto& node : in.nodes) {
        const auto leaf = leaf_of(in, node);
        const auto known = std::find(leaves.begin(), leaves.end(), leaf);
        if (known == leaves.end()) {
            leaves.push_back(leaf);
            groups.push_back({node});
        } else {
            groups[static_cast<std::size_t>(known - leaves.begin())].push_back(node);
        }
    }
    return groups;
}

/// Inside every group of a leaf, then between members of equal position in all groups.
std::vector<Phase> rails_by_leaf(const Situation& in, double size)
{
    const auto groups = groups_of(in);
    const auto kind = in.request.kind;
    const auto near = [&](Kind half) {
        Phase phase;
        for (const auto& group : groups) {
            add_rails(in, group, half, size, phase);
        }
        return phase;
    };
    Phase between;
    const auto each = groups.front().size();
    for (std::size_t place = 0; place < each; ++place) {
        Nodes across;
        for (const auto& group : groups) {
            across.push_back(group[place]);
        }
        add_rails(in, across, kind, size / static_cast<double>(each), between);
    }
    std::vector<Phase> phases;
    if (kind != Kind::all_gather) {
        phases.push_back(near(Kind::reduce_scatter));
    }
    phases.push_back(std::move(between));
    if (kind != Kind::reduce_scatter) {
        phases.push_back(near(Kind::all_gather));
    }
    return phases;
}

std::vector<Phase> over_rails(const Situation& in, Algorithm algorithm)
{
    if (algorithm == Algorithm::hierarchical_tree) {
        return {rail_trees(in)};
    }
    const double size = in.bytes() / static_cast<double>(in.nodes.front().members.size());
    if (algorithm == Algorithm::hierarchical_3) {
        return rails_by_leaf(in, size);
    }
    Phase phase;
    add_rails(in, in.nodes, in.request.kind, size, phase);
    return {phase};
}

}  // namespace

bool is_hierarchical(Algorithm algorithm)
{
    return algorithm == Algorithm::hierarchical || algorithm == Algorithm::hierarchical_tree ||
           algorithm == Algorithm::hierarchical_3;
}

std::vector<Phase> hierarchical_phases(const Situation& in, Algorithm algorithm)
{
    std::vector<Phase> phases;
    if (in.request.kind != Kind::all_gather) {
        phases.push_back(inside_nodes(in, Kind::reduce_scatter));
    }
    auto rails = over_rails(in, algorithm);
    std::move(rails.begin(), rails.end(), std::back_inserter(phases));
    if (in.request.kind != Kind::reduce_scatter) {
        phases.push_back(inside_nodes(in, Kind::all_gather));
    }
    return phases;
}

std::optional<std::string> refuse_levels(const Situation& in, Algorithm algorithm)
{
    if (in.nodes.size() < 2) {
        return "needs a group on several nodes";
    }
    if (in.nodes.front().members.size() < 2) {
        return "needs two members or more on every node";
    }
    if (algorithm != Algorithm::hierarchical_3) {
        return std::nullopt;
    }
    const auto groups = groups_of(in);
    if (groups.size() < 2 || groups.front().size() < 2) {
        return fmt::format("needs several leaves with several nodes each, not {} with {}",
                           groups.size(), groups.front().size());
    }
    for (const auto& group : groups) {
        if (group.size() != groups.front().size()) {
            return fmt::format("needs equally many nodes on every leaf, but one has {} and one {}",
                               groups.front().size(), group.size());
        }
    }
    return std::nullopt;
}

}  // namespace sim::collective

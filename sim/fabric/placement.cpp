#include "fabric/placement.hpp"

#include <map>
#include <numeric>
#include <utility>

#include "core/contract.hpp"
#include "core/random.hpp"

namespace sim::fabric
{
namespace
{

using Order = spec::PlacementSpec::Order;
using Groups = std::vector<std::vector<std::size_t>>;

/// The first of every group, then the second of every group, and so on.
std::vector<std::size_t> dealt(const Groups& groups)
{
    std::vector<std::size_t> order;
    for (std::size_t turn = 0, before = 1; before != order.size() || turn == 0; ++turn) {
        before = order.size();
        for (const auto& group : groups) {
            if (turn < group.size()) {
                order.push_back(group[turn]);
            }
        }
    }
    return order;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    RandomStream random{seed, "placement", {}};
    for (std::size_t i = count; i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(i))]);
    }
    return order;
}

Groups gpus_by_node(const Fabric& fabric)
{
    Groups groups(fabric.nodes);
    for (std::size_t gpu = 0; gpu < fabric.gpus.size(); ++gpu) {
        groups[fabric.node_of_gpu[gpu].index()].push_back(gpu);
    }
    return groups;
}

/// By the switch that a node's first NIC is on, switches in the order of their first nodes.
Groups nodes_by_switch(const Fabric& fabric)
{
    std::map<VertexId, std::size_t> known;
    Groups groups;
    std::vector<char> seen(fabric.nodes, 0);
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        const auto node = fabric.node_of_nic[nic].index();
        if (std::exchange(seen[node], 1) != 0) {
            continue;
        }
        auto first_switch = fabric.nics[nic];
        for (const auto id : fabric.graph.out_links(fabric.nics[nic])) {
            const auto& link = fabric.graph.links()[id.index()];
            if (link.kind == LinkKind::nic) {
                first_switch = link.to;
                break;
            }
        }
        const auto [entry, is_new] = known.emplace(first_switch, groups.size());
        if (is_new) {
            groups.emplace_back();
        }
        groups[entry->second].push_back(node);
    }
    return groups;
}

std::vector<std::size_t> order_of_nodes(const Fabric& fabric, const spec::PlacementSpec& placement,
                                        std::uint64_t seed)
{
    switch (placement.order) {
        case Order::round_robin:
            return dealt(nodes_by_switch(fabric));
        case Order::random:
            return shuffled(fabric.nodes, seed);
        case Order::listed:
            return {placement.hosts.begin(), placement.hosts.end()};
        case Order::packed:
            break;
    }
    std::vector<std::size_t> order(fabric.nodes);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

std::vector<GpuId> place(const Fabric& fabric, const spec::PlacementSpec& placement,
                         std::uint64_t seed)
{
    const auto by_node = gpus_by_node(fabric);
    std::vector<std::size_t> order;
    if (placement.unit == spec::PlacementSpec::Unit::rank && placement.order == Order::random) {
        order = shuffled(fabric.gpus.size(), seed);
    } else if (placement.unit == spec::PlacementSpec::Unit::rank &&
               placement.order == Order::round_robin) {
        order = dealt(by_node);
    } else {
        for (const auto node : order_of_nodes(fabric, placement, seed)) {
            SIM_EXPECT(node < by_node.size());
            order.insert(order.end(), by_node[node].begin(), by_node[node].end());
        }
    }
    std::vector<GpuId> gpus;
    gpus.reserve(order.size());
    for (const auto gpu : order) {
        gpus.emplace_back(gpu);
    }
    return gpus;
}

}  // namespace sim::fabric

#include "collective/rings.hpp"

#include <algorithm>
#include <unordered_map>

#include "collective/mesh_rings.hpp"

namespace sim::collective
{
namespace
{

/// A node's members sorted by NIC, and where each NIC's run of members begins.
struct NicRuns {
    std::vector<GpuId> members;
    std::vector<std::size_t> begins;
    bool paired = true;  ///< every NIC serves at least two members

    [[nodiscard]] std::size_t end(std::size_t run) const
    {
        return run + 1 < begins.size() ? begins[run + 1] : members.size();
    }
};

NicRuns sort_by_nic(const fabric::Fabric& fabric, const NodeGroup& node)
{
    const auto nic = [&](GpuId gpu) { return fabric.nic_of_gpu[gpu.index()]; };
    NicRuns runs{node.members, {}};
    std::stable_sort(runs.members.begin(), runs.members.end(),
                     [&](GpuId a, GpuId b) { return nic(a) < nic(b); });
    for (std::size_t i = 0; i < runs.members.size(); ++i) {
        if (i == 0 || nic(runs.members[i]) != nic(runs.members[i - 1])) {
            runs.begins.push_back(i);
        }
    }
    for (std::size_t run = 0; run < runs.begins.size(); ++run) {
        runs.paired = runs.paired && runs.end(run) - runs.begins[run] >= 2;
    }
    return runs;
}

/// The node's part of ring `channel`. When every NIC serves two members the ring comes in at one
/// and goes out at the other. Else it comes in by NIC c and goes out by NIC c-1, and the other way
/// round on odd nodes, so that both ends of every cable path between nodes are NICs of one index.
std::vector<GpuId> node_order(const NicRuns& runs, std::size_t channel, bool odd_node)
{
    auto order = runs.members;
    const auto first = runs.paired ? runs.end(channel) - 1 : runs.begins[channel];
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
    if (!runs.paired && odd_node) {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

/// In a mesh of an even number of members: to and fro from the first of NIC `channel`, so that the
/// rings share no link; it leaves by the NIC opposite, and odd nodes are passed backwards.
std::vector<GpuId> mesh_order(const NicRuns& runs, std::size_t channel, bool odd_node)
{
    std::vector<GpuId> order;
    for (const auto position : zigzag(runs.begins[channel], runs.members.size())) {
        order.push_back(runs.members[position]);
    }
    if (odd_node) {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

/// Every ring of a mesh ends at another NIC when these have equally many members, at even places.
bool fits_mesh(const fabric::Fabric& fabric, const NodeGroup& node, const NicRuns& runs)
{
    const auto members = node.members.size();
    const auto nics = runs.begins.size();
    bool even = members % 2 == 0 && nics % 2 == 0 && members % nics == 0;
    for (std::size_t run = 0; even && run < nics; ++run) {
        even = runs.begins[run] == run * (members / nics);
    }
    return even && fully_joined(fabric, node.members);
}

std::vector<std::vector<GpuId>> one_node(const fabric::Fabric& fabric, const NodeGroup& node)
{
    const auto found = fully_joined(fabric, node.members)
                           ? disjoint_rings(node.members.size())
                           : searched_rings(joins_of(fabric, node.members));
    if (found.empty()) {
        return {node.members};
    }
    std::vector<std::vector<GpuId>> rings;
    for (const auto& positions : found) {
        auto& ring = rings.emplace_back();
        for (const auto position : positions) {
            ring.push_back(node.members[position]);
        }
    }
    return rings;
}

std::vector<GpuId> concatenated(const std::vector<NodeGroup>& nodes)
{
    std::vector<GpuId> ring;
    for (const auto& node : nodes) {
        ring.insert(ring.end(), node.members.begin(), node.members.end());
    }
    return ring;
}

}  // namespace

std::vector<NodeGroup> group_by_node(std::span<const GpuId> members,
                                     std::span<const NodeId> node_of_gpu)
{
    std::vector<NodeGroup> nodes;
    std::unordered_map<NodeId, std::size_t> position;
    for (const auto gpu : members) {
        const auto node = node_of_gpu[gpu.index()];
        const auto [entry, is_new] = position.emplace(node, nodes.size());
        if (is_new) {
            nodes.push_back({node, {}});
        }
        nodes[entry->second].members.push_back(gpu);
    }
    return nodes;
}

std::vector<std::vector<GpuId>> rings(const fabric::Fabric& fabric,
                                      const std::vector<NodeGroup>& nodes)
{
    if (nodes.size() == 1) {
        return one_node(fabric, nodes.front());
    }
    std::vector<NicRuns> runs;
    std::size_t channels = nodes.front().members.size();
    for (const auto& node : nodes) {
        runs.push_back(sort_by_nic(fabric, node));
        channels = std::min(channels, runs.back().begins.size());
    }
    if (channels == 1) {
        return {concatenated(nodes)};
    }
    bool mesh = true;
    for (std::size_t node = 0; mesh && node < nodes.size(); ++node) {
        mesh = runs[node].begins.size() == channels &&
               nodes[node].members.size() == nodes.front().members.size() &&
               fits_mesh(fabric, nodes[node], runs[node]);
    }
    std::vector<std::vector<GpuId>> rings(channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
        auto& ring = rings[channel];
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            const bool odd = node % 2 == 1;
            const auto order =
                mesh ? mesh_order(runs[node], channel, odd) : node_order(runs[node], channel, odd);
            ring.insert(ring.end(), order.begin(), order.end());
        }
    }
    return rings;
}

}  // namespace sim::collective

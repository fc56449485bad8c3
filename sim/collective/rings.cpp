#include "collective/rings.hpp"

#include <algorithm>
#include <unordered_map>

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
    std::vector<NicRuns> runs;
    std::size_t channels = nodes.front().members.size();
    for (const auto& node : nodes) {
        runs.push_back(sort_by_nic(fabric, node));
        channels = std::min(channels, runs.back().begins.size());
    }
    if (nodes.size() == 1 || channels == 1) {
        return {concatenated(nodes)};
    }
    std::vector<std::vector<GpuId>> rings(channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
        auto& ring = rings[channel];
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            const auto order = node_order(runs[node], channel, node % 2 == 1);
            ring.insert(ring.end(), order.begin(), order.end());
        }
    }
    return rings;
}

}  // namespace sim::collective

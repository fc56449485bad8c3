#include "collective/situation.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace sim::collective
{

std::uint64_t Situation::label(std::size_t flow) const { return mix(request.label, flow); }

GroupShape group_shape(const Situation& situation)
{
    GroupShape shape;
    shape.ranks = situation.request.members.size();
    shape.nodes = situation.nodes.size();
    shape.per_node = shape.ranks;
    for (const auto& node : situation.nodes) {
        shape.per_node = std::min(shape.per_node, node.members.size());
    }
    const auto& node = situation.cluster.node;
    shape.nvlink = node.nvlink.bandwidth * node.nvlink.efficiency;
    const double nics = static_cast<double>(rings(situation.fabric, situation.nodes).size());
    const auto slot = spec::raw_bandwidth(node.pcie) * node.pcie.efficiency;
    shape.network = std::min(node.nic.bandwidth * node.nic.efficiency, slot) * nics;
    return shape;
}

}  // namespace sim::collective

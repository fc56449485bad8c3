#pragma once

#include <span>
#include <vector>

#include "core/id.hpp"
#include "fabric/fabric.hpp"

namespace sim::collective
{

/// The members of a group that live on one node, in communicator order.
struct NodeGroup {
    NodeId node;
    std::vector<GpuId> members;
};

/// Nodes in the order in which the communicator first names them.
[[nodiscard]] std::vector<NodeGroup> group_by_node(std::span<const GpuId> members,
                                                   std::span<const NodeId> node_of_gpu);

/// Orders in which data goes round the members: as many rings as every node has NICs that serve
/// members, so that each ring enters and leaves every node through NICs no other ring uses in that
/// direction. On one node one ring, or those of a mesh that share no link. sim/collective/README.md
/// shows the orders.
[[nodiscard]] std::vector<std::vector<GpuId>> rings(const fabric::Fabric& fabric,
                                                    const std::vector<NodeGroup>& nodes);

}  // namespace sim::collective

#pragma once

#include <optional>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Joins NIC r of every node of a block to leaf r of the block. Throws InputError when the switches
/// lack ports.
void add_rail_optimised(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload between the first and the second half of the nodes, one way; nothing when the halves cut
/// through a leaf or a pod.
[[nodiscard]] std::optional<Bandwidth> rail_optimised_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

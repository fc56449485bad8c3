#pragma once

#include <optional>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Joins port p of every NIC to a leaf of plane p. Throws InputError when the switches lack ports.
void add_multi_plane(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload between the first and the second half of the nodes, one way; nothing when the halves cut
/// through a leaf or a pod.
[[nodiscard]] std::optional<Bandwidth> multi_plane_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

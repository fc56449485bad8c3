#pragma once

#include <optional>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Joins the NICs in their order, the next on the next port of a leaf. Builds whole pods, also for
/// fewer NICs than they take. Throws InputError when the switches lack ports.
void add_fat_tree(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload between the first and the second half of the nodes, one way; nothing when the halves cut
/// through a leaf or a pod.
[[nodiscard]] std::optional<Bandwidth> fat_tree_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

#pragma once

#include <optional>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Puts the nodes in order on the switches of the groups. Throws InputError when there are more
/// nodes than places, or a switch lacks ports.
void add_dragonfly(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload between the first and the second half of the groups, one way; nothing when they do not
/// halve or the nodes do not fill them.
[[nodiscard]] std::optional<Bandwidth> dragonfly_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

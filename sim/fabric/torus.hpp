#pragma once

#include <optional>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Puts the nodes in order on a grid of switches, the last side counting fastest. Throws InputError
/// when nodes and grid differ or a switch lacks ports.
void add_torus(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload across the cut nearest the middle of the side that is cut with fewest cables, one way.
[[nodiscard]] std::optional<Bandwidth> torus_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

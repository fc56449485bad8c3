#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Puts the nodes in order on a grid of switches, the last side counting fastest. Throws InputError
/// when nodes and grid differ or a switch lacks ports.
void add_torus(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload across the cut nearest the middle of the side that is cut with fewest cables, one way.
[[nodiscard]] std::optional<Bandwidth> torus_bisection(const spec::ClusterSpec& cluster);

/// Whether the ends of a side are joined.
[[nodiscard]] bool torus_wraps(const spec::TorusSpec& spec, std::size_t side);

/// Of the switch at `index`, and back; the last side counts fastest.
[[nodiscard]] std::vector<int> torus_coordinates(const std::vector<int>& sides, std::size_t index);
[[nodiscard]] std::size_t torus_index(const std::vector<int>& sides, const std::vector<int>& at);

}  // namespace sim::fabric

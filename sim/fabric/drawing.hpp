#pragma once

#include <cstddef>
#include <string>

#include "fabric/fabric.hpp"

namespace sim::fabric
{

/// The network as text for Graphviz: a box a node and a switch, a line a pair of them with its
/// number of cables. What has more than `most_boxes` boxes is drawn by groups (pods, planes, rails,
/// groups of a dragonfly), and if those are too many by tiers.
[[nodiscard]] std::string draw(const Fabric& fabric, std::size_t most_boxes = 300);

}  // namespace sim::fabric

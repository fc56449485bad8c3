#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.hpp"

namespace sim::replay
{

/// A fabric and, by link, how many links of the original were merged into it; empty when all are as
/// they were.
struct Bundled {
    fabric::Fabric fabric;
    std::vector<std::uint32_t> members{};
};

/// Whether links that even routing loads alike become one.
enum class Links : std::uint8_t { apart, bundled };

/// Merges the switches between which even routing cannot tell, and their links.
///
/// Switches without NICs fall into the coarsest equitable partition in which every switch with NICs
/// is a class of its own. An even spread gives all members of such a class equal parts, and so all
/// links between two classes, whoever sends; one link of their joint bandwidth with their joint
/// part serves every flow at the same rate. sim/replay/folding.md has the argument.
[[nodiscard]] Bundled bundle(fabric::Fabric fabric);

}  // namespace sim::replay

#pragma once

#include <cstddef>

#include "fabric/fabric.hpp"

namespace sim::fabric
{

/// How far NICs of different nodes are apart on shortest paths, in cables: 2 under one switch.
struct Survey {
    int diameter = 0;
    double mean_hops = 0;
    double fewest_paths = 0;  ///< shortest paths between NICs that share no switch, cables apart
    double most_paths = 0;
    std::size_t starts = 0;    ///< first switches (or sets of them) that were searched from
    std::size_t surveyed = 0;  ///< of so many
};

/// One search a first switch, from at most `most_starts` of them, evenly chosen: exact when all are
/// searched from or all are alike. Pairs that only NVLink joins (other rails) are left out.
[[nodiscard]] Survey survey(const Fabric& fabric, std::size_t most_starts);

}  // namespace sim::fabric

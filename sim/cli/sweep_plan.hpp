#pragma once

#include <string>
#include <vector>

#include "sweep/execute.hpp"

namespace sim::cli
{

/// What `sweep --dry-run` says: every point with its id, how many there are, and how long they take
/// if they are like the first, the middle and the last, which are simulated for it.
[[nodiscard]] std::string plan_text(const sweep::Space& space, const config::LoadedSweep& sweep,
                                    const std::vector<std::size_t>& points,
                                    const sweep::Steps& steps, const sweep::Options& options);

}  // namespace sim::cli

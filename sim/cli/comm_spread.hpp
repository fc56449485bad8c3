#pragma once

#include <vector>

#include "cli/comm_table.hpp"

namespace sim::cli
{

/// One table of the same measurements under several seeds, in the order of the seeds: times and
/// bandwidths are means, everything else (algorithm, what binds, bytes) is that of the seed whose
/// time is the median. Not empty; all have as many rows.
[[nodiscard]] CommTable over_seeds(const std::vector<CommTable>& by_seed);

}  // namespace sim::cli

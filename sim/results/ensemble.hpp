#pragma once

#include "results/document.hpp"
#include "results/points.hpp"

namespace sim::results
{

/// Every answer over the seeds of its point: mean, percentiles and extremes.
[[nodiscard]] Group spread_group(const Points& points);

/// The step of every seed.
[[nodiscard]] Group replicates_group(const Points& points);

}  // namespace sim::results

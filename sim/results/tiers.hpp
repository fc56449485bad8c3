#pragma once

#include "results/document.hpp"
#include "results/points.hpp"

namespace sim::results
{

/// Of a run's only point: what each tier besides the GPUs' memory holds and moves.
[[nodiscard]] Group tiers_group(const Points& points);

/// Any tier is used: else there is no such group.
[[nodiscard]] bool uses_tiers(const Points& points);

}  // namespace sim::results

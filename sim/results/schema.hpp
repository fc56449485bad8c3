#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/result_set.hpp"

namespace sim::results
{

/// The file's layout as results/README.md lists it. One schema for runs and sweeps: every number of
/// a point has the axes as leading dimensions, and a run has none. Only a run adds /classes and
/// /stages, only what has several seeds, or may have, /spread and /replicates.
/// Throws InputError when an axis takes the name of something the layout already has.
[[nodiscard]] Document describe(const ResultSet& set);

/// Axis names as they stand in the file.
[[nodiscard]] std::vector<std::string> axis_names(const ResultSet& set);

}  // namespace sim::results

#pragma once

#include <string>

#include "results/result_set.hpp"
#include "sweep/fit.hpp"

namespace sim::cli
{

/// What a run found, for people; fits kPageWidth columns.
[[nodiscard]] std::string run_table(const results::ResultSet& set);

/// A row a point, then a sentence a pair along the first axis, then what failed and why.
[[nodiscard]] std::string sweep_table(const results::ResultSet& set);

/// Which points the objective prefers; the set must have a ranking.
[[nodiscard]] std::string ranking_table(const results::ResultSet& set);

/// Memory by content, a row a pipeline stage.
[[nodiscard]] std::string memory_table(const sweep::Fit& fit);

}  // namespace sim::cli

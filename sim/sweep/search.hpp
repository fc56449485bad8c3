#pragma once

#include <vector>

#include "sweep/execute.hpp"
#include "sweep/objective.hpp"

namespace sim::sweep
{

/// The same points at the search's coarse fidelity; records of their own.
[[nodiscard]] std::vector<Task> coarse_tasks(const std::vector<Task>& tasks,
                                             const spec::Search& search);

/// The part of the tasks to go on with: the best by the coarse round's first goal, one at least.
/// Points that do not meet the constraints, that do not fit or that failed are dropped.
[[nodiscard]] std::vector<Task> promising(const std::vector<Task>& tasks,
                                          const results::ResultSet& round, const Judge& judge,
                                          const spec::Search& search);

}  // namespace sim::sweep

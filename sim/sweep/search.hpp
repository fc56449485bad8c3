#pragma once

#include <vector>

#include "sweep/execute.hpp"
#include "sweep/objective.hpp"

namespace sim::sweep
{

/// The same points at the search's coarse fidelity; records of their own.
[[nodiscard]] std::vector<Task> coarse_tasks(const std::vector<Task>& tasks,
                                             const spec::Search& search);

/// What a coarse round leaves of the tasks.
struct Selection {
    std::vector<Task> kept;
    /// By point: `left_out` with the reason, or as it failed. Numbers are not kept.
    std::vector<std::pair<std::size_t, results::Point>> dropped;
};

/// Goes on with the best by the coarse round's first goal, one at least. Points that do not meet
/// the constraints, that do not fit or that failed are dropped.
[[nodiscard]] Selection promising(const std::vector<Task>& tasks, const results::ResultSet& round,
                                  const Judge& judge, const spec::Search& search);

/// Puts into the set why the search dropped what it dropped, and of what is done and does not meet
/// the constraints by which number.
void give_reasons(results::ResultSet& set, const Selection& selection, const Judge& judge);

}  // namespace sim::sweep

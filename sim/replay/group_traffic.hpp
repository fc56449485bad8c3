#pragma once

#include <vector>

#include "replay/lowering.hpp"
#include "replay/observed.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// Up to so many ranks each group is told by itself; of more, those that are alike as one.
inline constexpr std::size_t kMostApartRanks = 1024;

/// What each group of ranks sends in a step, by the stages of who sends and who receives. By
/// purpose it sums to what the ranks send. sim/replay/observing.md
[[nodiscard]] std::vector<GroupTraffic> group_traffic(const workload::TaskGraph& job,
                                                      Lowering& planner);

}  // namespace sim::replay

#pragma once

#include <array>
#include <vector>

#include "replay/ledger.hpp"
#include "replay/lowering.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// What a rank sends in one step, by purpose.
using StepTraffic = std::array<Traffic, kPurposes>;

/// By rank (or instance). Counted over the collectives of a step, so it does not depend on which of
/// them happen to end inside the measured window.
[[nodiscard]] std::vector<StepTraffic> step_traffic(const workload::TaskGraph& graph,
                                                    Lowering& lowering);

}  // namespace sim::replay

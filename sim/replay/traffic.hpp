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

/// A plan that a communicator's members run in a step, and how often.
struct PlanOfStep {
    const LoweredCollective* plan = nullptr;
    const workload::Collective* asked = nullptr;
    double times = 0;
};

/// All members run the same sequence, so the first one tells.
[[nodiscard]] std::vector<PlanOfStep> plans_of_step(const workload::TaskGraph& graph,
                                                    Lowering& lowering,
                                                    CommunicatorId communicator);

/// By rank (or instance). Counted over the collectives of a step, so it does not depend on which of
/// them happen to end inside the measured window.
[[nodiscard]] std::vector<StepTraffic> step_traffic(const workload::TaskGraph& graph,
                                                    Lowering& lowering);

}  // namespace sim::replay

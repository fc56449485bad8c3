#pragma once

#include "replay/executor.hpp"
#include "replay/instances.hpp"
#include "replay/lowering.hpp"
#include "replay/machine.hpp"
#include "replay/run.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// What was watched, besides what the executor knows.
struct Watched {
    const Machine& machine;
    const Instances& instances;
    const workload::TaskGraph& job;
    Lowering& planner;  ///< of the job, in ranks
};

/// Adds what a watched executor noted to its result. A critical path that does not sum to the step
/// is a contract violation. sim/replay/observing.md
void observe(Result& result, const Watched& watched, Executor& executor);

}  // namespace sim::replay

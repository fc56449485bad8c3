#pragma once

#include "spec/workload.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// A model and its plan as a task graph; one program per pipeline stage.
/// sim/workload/README.md lists the operations of a layer and what each plan adds.
[[nodiscard]] TaskGraph training_step(const spec::WorkloadSpec& workload);

}  // namespace sim::workload

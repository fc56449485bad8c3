#pragma once

#include "formats/trace.hpp"
#include "spec/experiment.hpp"
#include "spec/gpu.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// One step of a task graph as a recorded job, for other simulators: kernels with their time alone
/// on the GPU, FLOPs and bytes; streams as dependences. Throws InputError for what a recorded job
/// has no word for: copies between tiers.
[[nodiscard]] formats::Trace exported_trace(const workload::TaskGraph& graph,
                                            const spec::GpuSpec& gpu);

/// What the experiment runs: its recorded job as it is, or its workload's graph.
[[nodiscard]] formats::Trace exported_trace(const spec::ExperimentSpec& experiment);

}  // namespace sim::replay

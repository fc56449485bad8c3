#pragma once

#include <string>
#include <vector>

#include "spec/workload.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// Of one step.
[[nodiscard]] Bytes samples_of_rank(const spec::WorkloadSpec& workload);

/// Adds a stream "input" that copies the rank's samples of a step to its GPU, which the program's
/// first task of that step waits for. A copy begins when its buffer is free: when the step that
/// used it, `prefetch` + 1 steps before, has ended. The ranks of a tensor-parallel group load an
/// equal part of their samples each.
void add_input(Program& program, const spec::WorkloadSpec& workload,
               std::vector<std::string>& labels);

}  // namespace sim::workload

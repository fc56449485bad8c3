#pragma once

#include <string>
#include <vector>

#include "spec/workload.hpp"
#include "workload/shard.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// What a rank of the stage saves: its share of the weights and of the optimiser's state, or, not
/// sharded, those of every replica.
[[nodiscard]] Bytes checkpoint_bytes(const spec::WorkloadSpec& workload, const Stage& stage);

/// Adds a stream "checkpoint" that saves what a rank has after its last task of a step. The next
/// step waits until it is saved or, asynchronous, until host memory has a copy; that copy is
/// written behind it, and the next one waits until it has been. sim/workload/checkpoint.md
void add_checkpoint(Program& program, const spec::WorkloadSpec& workload, const Stage& stage,
                    std::vector<std::string>& labels);

}  // namespace sim::workload

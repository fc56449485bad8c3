#pragma once

#include <string>
#include <vector>

#include "workload/shard.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// One step of a rank that holds a share of every parameter and gathers a block before it runs it
/// (ZeRO-3, FSDP; ZeRO-2 gathers once a micro-batch and keeps what it has for the backward pass).
/// Gradients are reduced after every micro-batch. sim/workload/sharded.md
[[nodiscard]] Program sharded_program(const spec::WorkloadSpec& workload, const Stage& stage,
                                      std::vector<std::string>& labels);

}  // namespace sim::workload

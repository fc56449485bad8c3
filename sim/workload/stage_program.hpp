#pragma once

#include <string>
#include <vector>

#include "spec/workload.hpp"
#include "workload/shard.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// One step of the ranks of a pipeline stage. `labels` is the graph's table.
[[nodiscard]] Program stage_program(const spec::WorkloadSpec& workload, const Stage& stage,
                                    std::vector<std::string>& labels);

}  // namespace sim::workload

#pragma once

#include "formats/trace.hpp"
#include "workload/task_graph.hpp"

namespace sim::formats
{

/// The recorded job as a task graph of one step; trace.md says what becomes of what. Ranks that do
/// the same share a program. Throws InputError as order_trace does.
[[nodiscard]] workload::TaskGraph trace_graph(const Trace& trace);

}  // namespace sim::formats

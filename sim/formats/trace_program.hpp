#pragma once

#include <cstdint>
#include <vector>

#include "formats/trace.hpp"
#include "formats/trace_order.hpp"
#include "workload/task_graph.hpp"

namespace sim::formats
{

struct RankProgram {
    workload::Program program;
    std::vector<std::uint32_t> slots;  ///< communicator of each
};

/// What one rank does, as streams in the order its nodes may start. Ends with a task of no duration
/// on the compute stream that waits for all others, so that the rank's step ends with the last.
[[nodiscard]] RankProgram rank_program(const Trace& trace, const TraceOrder& order,
                                       std::uint32_t rank);

}  // namespace sim::formats

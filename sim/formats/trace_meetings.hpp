#pragma once

#include <vector>

#include "formats/trace_order.hpp"
#include "formats/trace_topology.hpp"

namespace sim::formats
{

/// Numbers the meetings of every group, and of every pair that sends with one tag. Throws
/// InputError when members differ in what they bring, or one comes more often than another.
[[nodiscard]] TraceOrder match_meetings(const Trace& trace,
                                        const std::vector<RankTopology>& topologies);

}  // namespace sim::formats

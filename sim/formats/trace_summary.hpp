#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/trace.hpp"

namespace sim::formats
{

/// Communication of one kind and size in groups of one size.
struct TraceTraffic {
    std::string kind;  ///< "all_reduce", ..., "message"
    std::int64_t size = 0;
    std::size_t members = 0;
    std::uint64_t count = 0;  ///< by the group, not by its members
};

/// What a trace holds, before anything is simulated.
struct TraceSummary {
    std::string format;
    std::size_t ranks = 0;
    std::size_t groups = 0;  ///< that communicate; pairs of messages are not counted
    std::uint64_t nodes = 0;
    double least_compute = 0;  ///< seconds recorded on the GPU of a rank
    double most_compute = 0;
    double critical_path = 0;        ///< seconds: the longest chain of a rank, communication free
    std::uint64_t without_time = 0;  ///< compute nodes that say neither how long nor how much
    double recorded = 0;             ///< seconds of the recording as it was, where starts are told
    TraceOverlap overlap;            ///< of a rank, as recorded
    std::vector<TraceTraffic> traffic;  ///< by kind, then size
    Diagnostics notes;
};

/// Throws InputError when a rank's dependences form a cycle.
[[nodiscard]] TraceSummary summarise(const Trace& trace);

}  // namespace sim::formats

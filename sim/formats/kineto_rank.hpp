#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/kineto_collectives.hpp"
#include "formats/kineto_recording.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// A collective or message of a rank, before its group has a number.
struct KinetoMeeting {
    std::uint32_t node = 0;  ///< index into the rank's nodes
    KinetoCollective what;
    double end_us = 0;  ///< as recorded
};

/// One rank's recording as nodes (kineto.md).
struct KinetoRank {
    TraceRank rank;
    std::vector<KinetoMeeting> meetings;  ///< in the order of their nodes
    std::uint64_t before_launch = 0;      ///< kernels recorded as begun before their launch
    std::uint64_t without_launch = 0;     ///< whose launch is not in the file
    std::uint64_t unknown_messages = 0;   ///< kernels of the library kept at their recorded time
    std::uint64_t joined_by_order = 0;
    std::uint64_t joined_by_name = 0;
    std::uint64_t unexplained = 0;  ///< kernels that began late for no reason that is recorded
};

/// Node 0 takes no time and comes before all others. `labels` has the names of the recording's
/// labels; more are added.
[[nodiscard]] KinetoRank kineto_rank(const KinetoRecording& recording, TraceLabels& labels);

}  // namespace sim::formats

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sim::formats
{

/// A stretch of one stream of one rank.
struct TimelineSpan {
    std::uint32_t track = 0;
    std::uint32_t stream = 0;  ///< index into the track's streams
    std::uint32_t label = 0;
    std::uint32_t category = 0;
    double begin = 0;  ///< seconds from the beginning of the step
    double end = 0;
};

struct TimelineTrack {
    std::string name;  ///< "rank 0"
    std::vector<std::string> streams;
};

/// How busy the resources of one class were between two instants.
struct TimelineSample {
    double begin = 0;
    double mean = 0;     ///< share of the capacity, over all of the class
    double busiest = 0;  ///< of its busiest member
};

struct TimelineCounter {
    std::string name;  ///< "nic"
    std::vector<TimelineSample> samples;
};

/// What ran when, for a trace viewer.
struct Timeline {
    std::vector<TimelineTrack> tracks;
    std::vector<std::string> labels;
    std::vector<TimelineSpan> spans;  ///< in the order of their ends
    std::vector<TimelineCounter> counters;
    double seconds = 0;

    static constexpr std::array kCategories{"compute", "communication", "copy", "host"};
};

/// Writes the trace-event format (JSON) that ui.perfetto.dev and chrome://tracing read, under a
/// temporary name that becomes `path` when it is whole. Throws Error.
void write_timeline(const Timeline& timeline, const std::string& path);

}  // namespace sim::formats

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "workload/task_graph.hpp"

namespace sim::formats
{

enum class TraceKind : std::uint8_t {
    compute,     ///< on one of the rank's lanes
    collective,  ///< with a group
    send,        ///< to `peer`
    receive,     ///< from `peer`
};

/// Something a rank did. What it waits for are nodes of its own rank.
struct TraceNode {
    std::uint64_t id = 0;     ///< as the file has it
    std::uint32_t label = 0;  ///< index into Trace::labels
    TraceKind kind = TraceKind::compute;
    workload::CollectiveKind collective = workload::CollectiveKind::all_reduce;
    std::uint32_t lane = 0;   ///< of compute: a lane does one thing at a time; 0 is the GPU
    double seconds = 0;       ///< of compute, as recorded
    double flops = 0;         ///< of compute without a time: what it does
    double bytes = 0;         ///< and moves
    std::int64_t size = 0;    ///< of communication, as nccl-tests' "size"
    std::uint32_t group = 0;  ///< of a collective: index into Trace::groups
    std::uint32_t peer = 0;   ///< rank
    std::int64_t tag = 0;
    std::uint32_t first_dependence = 0;  ///< in TraceRank::dependences
    std::uint32_t dependences = 0;
};

struct TraceRank {
    std::vector<TraceNode> nodes;
    std::vector<std::uint32_t> dependences;  ///< indices into nodes
    std::uint32_t lanes = 1;
};

struct TraceGroup {
    std::string name;
    std::vector<std::uint32_t> ranks;  ///< in the order of the group
};

/// What a recorded job did, whatever the format.
struct Trace {
    std::string format;  ///< "Chakra 0.0.4"
    std::vector<std::string> labels;
    std::vector<TraceGroup> groups;
    std::vector<TraceRank> ranks;
    Diagnostics notes;  ///< what was found missing or put right, to be said aloud
};

}  // namespace sim::formats

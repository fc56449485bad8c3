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
    bool host = false;        ///< of compute: the host's work or a wait for it, not the GPU's
    bool copies = false;      ///< of compute: a copy or fill, which uses no SM
    double seconds = 0;       ///< as recorded; of a collective without its waiting
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

/// A group that repeats over a job: members at equal distances.
struct TraceLattice {
    std::uint32_t stride = 1;
    std::uint32_t count = 1;
};
/// The members of the group that the rank is in.
[[nodiscard]] std::vector<std::uint32_t> members(const TraceLattice& lattice, std::uint32_t rank);

/// Seconds of a rank's communication, and of those in which it computed too.
struct TraceOverlap {
    double communication = 0;
    double hidden = 0;
};

/// What a recorded job did, whatever the format.
struct Trace {
    std::string format;  ///< "Chakra 0.0.4"
    std::vector<std::string> labels;
    std::vector<TraceGroup> groups;
    std::vector<TraceRank> ranks;
    std::vector<std::string> files;  ///< by rank, where each has its own
    /// Above 1: so many ranks do what ranks[0] does, each in groups of its own: of rank r the
    /// members of lattices[i] in place of groups[i], which is rank 0's.
    std::uint32_t copies = 1;
    std::vector<TraceLattice> lattices;
    bool keeps_transfers = false;     ///< collectives take their recorded time, not the machine's
    double recorded_seconds = 0;      ///< from the first start to the last end, where that is told
    TraceOverlap recorded_overlap{};  ///< mean over the files, where starts are told
    Diagnostics notes;                ///< what was found missing or put right, to be said aloud
};

/// About a rank, with its file where it has one.
[[nodiscard]] Diagnostic about_rank(const Trace& trace, std::uint32_t rank, std::string message);

/// Ranks of the job, copies too.
[[nodiscard]] std::uint32_t rank_count(const Trace& trace);

}  // namespace sim::formats

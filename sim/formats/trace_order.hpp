#pragma once

#include <cstdint>
#include <vector>

#include "formats/trace.hpp"

namespace sim::formats
{

/// A node's place in what its communicator does, the same for all members.
struct TraceMeeting {
    std::uint32_t communicator = 0;  ///< index into TraceOrder::communicators
    std::uint32_t sequence = 0;
    std::uint32_t member = 0;  ///< the rank's place among the communicator's
};

/// Who meets whom, and in which order the nodes of each rank may start.
struct TraceOrder {
    struct Communicator {
        std::vector<std::uint32_t> ranks;  ///< of a pair: sender, receiver
        bool pair = false;
    };
    std::vector<Communicator> communicators;
    std::vector<std::vector<TraceMeeting>> meetings;  ///< by rank and node; of communication
    std::vector<std::vector<std::uint32_t>> starts;   ///< by rank: its nodes, first to start first
};

/// The k-th collective of a group is one on all its members, the k-th send from a to b with a tag
/// meets the k-th such receive; k counts by id among what dependences leave free.
///
/// Nodes start when what they wait for has ended, one on a lane at a time,
/// communication at once; a message leaves without waiting for its receiver. Communication is
/// taken to move at 50 GB/s. That is an order for the
/// streams of a task graph which cannot block itself, not a prediction. Throws InputError with
/// cycles, with members that disagree, and with what never starts.
[[nodiscard]] TraceOrder order_trace(const Trace& trace);

}  // namespace sim::formats

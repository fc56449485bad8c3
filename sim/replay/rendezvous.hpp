#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/id.hpp"
#include "replay/chunk.hpp"
#include "replay/lowering.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// Marks the token of a flow of a collective; its communicator is in the low bits.
inline constexpr std::uint64_t kCollective = std::uint64_t{1} << 63U;
/// Marks the token of a chunk: its hop is in the low half, its communicator in the high one.
inline constexpr std::uint64_t kChunk = std::uint64_t{1} << 62U;

/// A rank's place in a communicator.
struct Port {
    RankId rank;
    std::uint32_t slot = 0;
};

/// The collective a communicator is at. One after another, so one of these serves all of them.
struct Meeting {
    std::uint32_t arrived = 0;
    std::uint32_t phase = 0;
    std::uint32_t moving = 0;                     ///< flows of the phase that have not ended
    const LoweredCollective* plan = nullptr;      ///< null until the last member is there
    const workload::Collective* asked = nullptr;  ///< by the first member
    RankId first;                                 ///< the member that asked
    Time started{};                               ///< the last member came
    Time began{};                                 ///< the first byte could move
    std::uint64_t sequence = 0;
    std::unique_ptr<ChunkRun> chunks;   ///< of a chunked one, from its first member on
    std::span<const engine::Use> uses;  ///< of the chunks
};

/// Where the members of each communicator meet. A rank's collectives of one communicator are
/// numbered as they reach the head of their stream: the program's order when they are all on one
/// stream, as a library would number its calls when not.
class Rendezvous
{
public:
    explicit Rendezvous(const workload::TaskGraph& graph);

    [[nodiscard]] CommunicatorId communicator(RankId rank, std::uint32_t slot) const
    {
        return CommunicatorId{graph_.slots[index(rank, slot)]};
    }
    [[nodiscard]] std::uint32_t members(CommunicatorId communicator) const
    {
        return first_[communicator.index() + 1] - first_[communicator.index()];
    }
    /// In the communicator's order.
    [[nodiscard]] std::span<const Port> ports(CommunicatorId communicator) const
    {
        return {ports_.data() + first_[communicator.index()], members(communicator)};
    }
    [[nodiscard]] Meeting& meeting(CommunicatorId communicator)
    {
        return meetings_[communicator.index()];
    }
    [[nodiscard]] const Meeting& meeting(CommunicatorId communicator) const
    {
        return meetings_[communicator.index()];
    }
    /// The stream whose head is in the slot's communicator now, or kNoStream.
    [[nodiscard]] std::uint32_t stream(const Port& port) const
    {
        return streams_[index(port.rank, port.slot)];
    }
    /// The rank has left a collective that other members are still in.
    [[nodiscard]] bool has_left(const Port& port) const
    {
        return meeting(communicator(port.rank, port.slot)).plan != nullptr &&
               stream(port) == kNoStream;
    }
    /// False while another stream of the rank is in the communicator or next in line for it; the
    /// stream is then next in line if nobody is.
    bool may_enter(const Port& port, std::uint32_t stream);
    void enter(const Port& port, std::uint32_t stream)
    {
        streams_[index(port.rank, port.slot)] = stream;
    }
    void leave(const Port& port) { streams_[index(port.rank, port.slot)] = kNoStream; }

    static constexpr std::uint32_t kNoStream = 0xffffffff;

private:
    [[nodiscard]] std::size_t index(RankId rank, std::uint32_t slot) const
    {
        return std::size_t{rank.index()} * graph_.slots_per_rank + slot;
    }

    const workload::TaskGraph& graph_;
    std::vector<std::uint32_t> first_;  ///< port of a communicator's first member
    std::vector<Port> ports_;
    std::vector<Meeting> meetings_;
    std::vector<std::uint32_t> streams_;  ///< by rank and slot
    std::vector<std::uint32_t> next_;     ///< by rank and slot: the stream that found it taken
};

}  // namespace sim::replay

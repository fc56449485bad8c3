#include <algorithm>

#include "core/contract.hpp"
#include "replay/executor.hpp"

// What an Executor does for a chunked collective: members come and leave one by one.

namespace sim::replay
{

namespace
{

constexpr unsigned kHopBits = 32;
constexpr std::uint64_t kHopMask = (std::uint64_t{1} << kHopBits) - 1;

}  // namespace

/// The member takes part from now on, whoever is still missing; its SMs are held as it waits.
void Executor::enter_chunks(CommunicatorId communicator, RankId rank)
{
    auto& meeting = rendezvous_.meeting(communicator);
    if (meeting.chunks == nullptr) {
        if (lowering_.fidelity(meeting.asked->kind) != spec::Fidelity::chunk) {
            return;
        }
        const auto& plan = lowering_.collective(communicator, *meeting.asked);
        if (!plan.chunked()) {
            return;
        }
        meeting.chunks = std::make_unique<ChunkRun>(plan.chunks);
        meeting.uses = plan.uses;
        meeting.began = Time::of(-1);
    }
    hold(rank, instances_.cluster.collective.channel_sms);
    const auto ports = rendezvous_.ports(communicator);
    const auto port = std::find_if(ports.begin(), ports.end(),
                                   [&](const Port& candidate) { return candidate.rank == rank; });
    meeting.chunks->enter(static_cast<std::uint32_t>(port - ports.begin()));
    start_chunks(communicator);
}

void Executor::start_chunks(CommunicatorId communicator)
{
    auto& meeting = rendezvous_.meeting(communicator);
    auto& chunks = *meeting.chunks;
    engine::Activity activity;
    for (const auto hop : chunks.ready()) {
        const auto& asked = chunks.plan().hops[hop];
        activity.amount = asked.amount;
        activity.latency = chunks.latency(hop);
        activity.share = asked.share;
        activity.rate_cap = asked.rate_cap;
        activity.uses = meeting.uses.subspan(asked.first_use, asked.uses);
        activity.token = kChunk | std::uint64_t{communicator.index()} << kHopBits | hop;
        start(activity);
        if (meeting.began < Time{}) {
            meeting.began = engine_.now();
        }
    }
    chunks.clear_ready();
}

void Executor::chunk_ended(std::uint64_t token)
{
    const CommunicatorId communicator{static_cast<std::size_t>((token & ~kChunk) >> kHopBits)};
    rendezvous_.meeting(communicator)
        .chunks->step_ended(static_cast<std::uint32_t>(token & kHopMask));
    start_chunks(communicator);
    leave_chunks(communicator);
}

void Executor::leave_chunks(CommunicatorId communicator)
{
    auto& chunks = *rendezvous_.meeting(communicator).chunks;
    const auto through = chunks.take_through();
    const auto ports = rendezvous_.ports(communicator);
    if (watch_ && !through.empty()) {
        watch_collective_end(communicator);
    }
    for (const auto member : through) {
        settle(ports[member]);
    }
    for (const auto member : through) {
        leave(ports[member]);
    }
    const bool all = chunks.all_through();
    if (all) {
        close_meeting(communicator);
    }
    // Members that left before may stand at the next collective of the communicator.
    const auto go_on = [&](std::uint32_t member) {
        if (!done_) {
            advance(ports[member].rank);
        }
    };
    if (all) {
        for (std::uint32_t member = 0; member < ports.size(); ++member) {
            go_on(member);
        }
    } else {
        std::for_each(through.begin(), through.end(), go_on);
    }
}

}  // namespace sim::replay

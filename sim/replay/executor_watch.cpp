#include <algorithm>

#include "replay/executor.hpp"

// The window an Executor measures, and what it tells who watches.

namespace sim::replay
{

void Executor::paced(const engine::Pace& pace)
{
    if (watch_ && !done_) {
        watch_->paced(pace, engine_.now());
    }
}

void Executor::watch_start(engine::ActivityId id, const engine::Activity& activity)
{
    std::uint32_t of_phase = 1;
    if ((activity.token & kChunk) != 0) {
        const auto communicator = static_cast<std::size_t>((activity.token & ~kChunk) >> 32U);
        of_phase = rendezvous_.members(CommunicatorId{communicator});
    } else if ((activity.token & kCollective) != 0) {
        const auto communicator = static_cast<std::size_t>(activity.token & 0xffffffffU);
        const auto& meeting = rendezvous_.meeting(CommunicatorId{communicator});
        const auto& phases = meeting.plan->phases;
        of_phase = phases.empty() ? 1 : phases[meeting.phase].flows;
    }
    watch_->started(id, activity, of_phase, engine_.now());
}

/// The last member comes: what the others lost meanwhile is waiting for it.
void Executor::watch_waits(CommunicatorId communicator, RankId last)
{
    const auto name = rank_in(instances_, communicator, last);
    for (const auto& port : rendezvous_.ports(communicator)) {
        const auto blocker = follow(standing(), port.rank, 0);
        if (port.rank != last && !blocker.nothing && blocker.stream == rendezvous_.stream(port)) {
            watch_->waited(port.rank, name, ledger_.take_wait(port.rank, engine_.now()));
        }
    }
}

/// The task at the head of the stream starts.
void Executor::watch_memory(RankId rank, std::uint32_t stream)
{
    if (watch_) {
        const auto position = progress_.cursor(rank, stream).position;
        watch_->memory().began(rank, stream, position, engine_.now());
    }
}

void Executor::watch_task_end(RankId rank, std::uint32_t stream)
{
    const auto& task = *progress_.head(rank, stream);
    CriticalPath::Spent spent;
    if (task.kind == workload::TaskKind::copy) {
        const auto& copy = lowering_.copy(rank, task.payload);
        spent = {{}, copy.latency, copy.binding};
    } else {
        const auto& kernel = lowering_.kernel(graph_.program_of_rank[rank.index()], task.payload);
        const auto on_memory = kernel.cost.bound == compute::Bound::memory;
        spent.rest = on_memory ? ResourceKind::hbm : ResourceKind::sm;
        spent.launch = kernel.of_host ? kernel.latency : kernel.cost.launch;
    }
    watch_->path().task_ended(rank, stream, spent, engine_.now());
}

void Executor::watch_collective_end(CommunicatorId communicator)
{
    const auto& plan = *rendezvous_.meeting(communicator).plan;
    CriticalPath::Spent spent;
    for (const auto& phase : plan.phases) {
        Time longest{};
        for (std::uint32_t i = 0; i < phase.flows; ++i) {
            const auto& flow = plan.flows[phase.first_flow + i];
            longest = std::max(longest, flow.uses > 0 ? flow.latency : Time{});
        }
        spent.latency += longest;
    }
    spent.rest = plan.binding;
    watch_->path().collective_ended(communicator, spent, engine_.now());
}

}  // namespace sim::replay

#include "replay/executor.hpp"

// What an Executor tells the audit.

namespace sim::replay
{

void Executor::audit_kernel(RankId rank, std::uint32_t stream) const
{
    const auto& task = *progress_.head(rank, stream);
    const auto program = graph_.program_of_rank[rank.index()];
    const auto& kernel = lowering_.kernel(program, task.payload);
    audit_->ended({progress_.cursor(rank, stream).since, engine_.now(),
                   kernel.recorded ? kernel.latency : kernel.cost.alone,
                   graph_.labels[graph_.programs[program.index()].kernels[task.payload].label],
                   "rank", rank.index()});
}

void Executor::audit_collective(const Meeting& meeting, CommunicatorId communicator) const
{
    // The bound is of routes that were planned; what chooses others as it goes may be faster.
    const auto least = live_routes_ ? Time{} : meeting.plan->lower_bound;
    audit_->ended({meeting.began, engine_.now(), least, graph_.labels[meeting.asked->label],
                   "communicator", communicator.index()});
}

}  // namespace sim::replay

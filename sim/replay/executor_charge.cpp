#include <algorithm>

#include "replay/executor.hpp"

// What a rank's time is spent on, and the SMs its collectives hold.

namespace sim::replay
{

namespace
{

Entry entry_of(const LoweredKernel& kernel)
{
    if (kernel.of_host) {
        return Entry::launch;
    }
    return kernel.cost.bound == compute::Bound::math ? Entry::compute_math : Entry::compute_memory;
}

}  // namespace

/// Running collectives take SMs from the kernels of their members, but never the last one.
void Executor::hold(RankId rank, int sms)
{
    const auto most = std::max(0, instances_.cluster.node.gpu.sms - 1);
    auto& asked = held_sms_[rank.index()];
    const auto change = std::min(asked + sms, most) - std::min(asked, most);
    asked += sms;
    const auto& gpu = instances_.gpus[rank.index()];
    if (change > 0) {
        engine_.reserve(gpu.sm, change);
    } else if (change < 0) {
        engine_.release(gpu.sm, -change);
    }
}

void Executor::charge(RankId rank) { ledger_.charge(rank, classify(rank), engine_.now()); }

Charge Executor::classify(RankId rank) const
{
    const auto blocker = follow(standing(), rank, 0);
    if (blocker.nothing) {
        return {Entry::idle, {}};
    }
    const auto& task = *progress_.head(rank, blocker.stream);
    const auto& program = progress_.program(rank);
    if (task.kind == workload::TaskKind::kernel) {
        const auto& kernel = lowering_.kernel(graph_.program_of_rank[rank.index()], task.payload);
        if (kernel.exposes_communication) {
            if (const auto moving = ledger_.running(rank)) {
                return {exposed(*moving), {}};
            }
        }
        const auto launched = blocker.stream == 0 ? launched_[rank.index()] : Time{};
        return {entry_of(kernel), launched};
    }
    if (task.kind == workload::TaskKind::copy) {
        return {exposed(program.copies[task.payload].purpose), {}};
    }
    const auto slot = program.collectives[task.payload].slot;
    const auto why = purpose(rendezvous_.communicator(rank, slot));
    if (progress_.cursor(rank, blocker.stream).head == Head::running) {
        return {exposed(why), {}};
    }
    return {why == workload::Purpose::pipeline ? Entry::bubble : Entry::straggler, {}};
}

}  // namespace sim::replay

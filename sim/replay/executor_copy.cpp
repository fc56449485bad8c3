#include "replay/executor.hpp"

// What an Executor does with copies between tiers.

namespace sim::replay
{

void Executor::start_copy(RankId rank, std::uint32_t stream, const workload::Task& task)
{
    const auto& copy = lowering_.copy(rank, task.payload);
    auto& cursor = progress_.cursor(rank, stream);
    cursor.head = Head::running;
    cursor.since = engine_.now();
    ledger_.transfer_started(rank, copy.purpose, engine_.now());
    engine::Activity activity;
    activity.amount = copy.amount;
    activity.latency = copy.latency;
    activity.uses = copy.uses;
    activity.rate_cap = copy.rate_cap;
    activity.token = task_token(rank, stream);
    if (watch_) {
        watch_->is_copy(true);
    }
    start(activity);
    if (watch_) {
        watch_->is_copy(false);
    }
    watch_memory(rank, stream);
}

/// What a kernel or copy cost, once it has ended.
void Executor::settle_task(RankId rank, std::uint32_t stream)
{
    const auto& task = *progress_.head(rank, stream);
    if (watch_) {
        watch_task_end(rank, stream);
    }
    if (task.kind == workload::TaskKind::copy) {
        settle_copy(rank, stream, task);
    } else if (audit_) {
        audit_kernel(rank, stream);
    }
}

void Executor::settle_copy(RankId rank, std::uint32_t stream, const workload::Task& task)
{
    const auto& copy = lowering_.copy(rank, task.payload);
    const auto since = progress_.cursor(rank, stream).since;
    const auto now = engine_.now();
    ledger_.transfer_ended(rank, copy.purpose, now);
    ledger_.bound_by(rank, copy.purpose, copy.binding, now - since);
    if (audit_) {
        const auto label = progress_.program(rank).copies[task.payload].label;
        audit_->ended({since, now, copy.alone, graph_.labels[label], "rank", rank.index()});
    }
}

}  // namespace sim::replay

#include "replay/executor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/contract.hpp"
#include "core/error.hpp"

namespace sim::replay
{

namespace
{

// A token is the communicator and the number of a flow, or the rank and stream of a kernel or copy.
// That of a chunk (executor_chunk.cpp) has kChunk too.

// The number of a flow in its phase counts only where routes change.
constexpr unsigned kFlowShift = 32;
constexpr std::uint64_t kCommunicatorBits = (std::uint64_t{1} << kFlowShift) - 1;
constexpr std::uint64_t kMostFlows = std::uint64_t{1} << 29U;

std::uint64_t flow_bits(std::uint32_t flow)
{
    SIM_EXPECT(flow < kMostFlows);
    return std::uint64_t{flow} << kFlowShift;
}

}  // namespace

Executor::Executor(const Instances& instances, Lowering& lowering, engine::Engine& engine,
                   Execution execution)
    : instances_{instances},
      graph_{instances.graph},
      engine_{engine},
      steps_{execution.steps},
      lowering_{lowering},
      progress_{graph_, steps_ + 1},
      rendezvous_{graph_},
      ledger_{graph_.ranks()},
      window_{instances.supplies.size(), engine},
      recorder_{execution.recorder},
      launched_(graph_.ranks()),
      held_sms_(graph_.ranks())
{
    SIM_EXPECT(steps_ > 0);
    if (execution.audited) {
        audit_.emplace(std::move(*execution.audited), engine);
    }
    if (execution.watched) {
        watch_.emplace(instances, engine.tell_paces());
    }
    if (execution.rerouting != nullptr) {
        live_routes_.emplace(
            *execution.rerouting, engine,
            LiveRoutes::Hooks{[this](const engine::Activity& activity) { return start(activity); },
                              [this](std::span<const engine::Use> uses, double amount) {
                                  if (audit_) {
                                      audit_->withdrawn(uses, amount);
                                  }
                              }});
    }
    std::uint32_t busy_ranks = 0;
    for (const auto program : graph_.program_of_rank) {
        busy_ranks += has_tasks(graph_.programs[program.index()]) ? 1U : 0U;
        SIM_EXPECT(graph_.programs[program.index()].streams.size() < 1U << kStreamBits);
    }
    SIM_EXPECT(busy_ranks > 0);
    ranks_left_.assign(steps_, busy_ranks);
}

void Executor::run()
{
    if (live_routes_) {
        live_routes_->begin();
    }
    if (steps_ == 1) {
        open_window();
    }
    for (std::uint32_t rank = 0; rank < graph_.ranks(); ++rank) {
        advance(RankId{rank});
    }
    try {
        engine_.run(*this);
    } catch (const engine::Stalled& stalled) {
        throw engine::Stalled{stalled.what() + describe_running(standing())};
    }
    if (!done_) {
        throw Error{describe_deadlock(instances_, progress_, rendezvous_)};
    }
    if (audit_) {
        audit_->drained();
    }
}

void Executor::finished(std::uint64_t token)
{
    // After the last step only what already runs drains; nothing of it is reported.
    if (done_) {
        return;
    }
    if ((token & kChunk) != 0) {
        chunk_ended(token);
        return;
    }
    if ((token & kCollective) != 0) {
        if (live_routes_) {
            live_routes_->ended(token);
        }
        flow_ended(CommunicatorId{static_cast<std::size_t>(token & kCommunicatorBits)});
        return;
    }
    const RankId rank{static_cast<std::size_t>(token >> kStreamBits)};
    const auto stream = static_cast<std::uint32_t>(token & ((1U << kStreamBits) - 1));
    fingerprint_.add(engine_.now().base());
    fingerprint_.add(token);
    settle_task(rank, stream);
    end_head(rank, stream);
    if (!done_) {
        advance(rank);
    }
}

void Executor::timer(std::uint64_t token)
{
    if (live_routes_ && !done_) {
        live_routes_->timer(token);
    }
}

/// Starts what can start at the heads of the rank's streams.
void Executor::advance(RankId rank)
{
    const auto streams = progress_.program(rank).streams.size();
    for (std::uint32_t stream = 0; stream < streams; ++stream) {
        if (progress_.cursor(rank, stream).head == Head::blocked) {
            start_head(rank, stream);
        }
    }
    charge(rank);
}

void Executor::start_head(RankId rank, std::uint32_t stream)
{
    const auto* task = progress_.head(rank, stream);
    if (task == nullptr || progress_.unmet(rank, stream) != nullptr) {
        return;
    }
    switch (task->kind) {
        case workload::TaskKind::kernel:
            start_kernel(rank, stream, *task);
            break;
        case workload::TaskKind::collective:
            arrive(rank, stream, *task);
            break;
        case workload::TaskKind::copy:
            start_copy(rank, stream, *task);
            break;
    }
}

void Executor::start_kernel(RankId rank, std::uint32_t stream, const workload::Task& task)
{
    const auto& kernel = lowering_.kernel(graph_.program_of_rank[rank.index()], task.payload);
    const auto& gpu = instances_.gpus[rank.index()];
    const std::array<engine::Use, 2> uses{
        {{gpu.sm, kernel.cost.sm_seconds_per_byte}, {gpu.hbm, kernel.cost.hbm_per_byte}}};
    engine::Activity activity;
    activity.latency = kernel.latency;
    activity.token = task_token(rank, stream);
    if (!kernel.recorded) {
        activity.amount = kernel.cost.amount;
        activity.uses = uses;
    }
    auto& cursor = progress_.cursor(rank, stream);
    cursor.head = Head::running;
    cursor.since = engine_.now();
    if (stream == 0) {
        launched_[rank.index()] = engine_.now() + kernel.cost.launch;
    }
    watch_memory(rank, stream);
    start(activity);
}

engine::ActivityId Executor::start(const engine::Activity& activity)
{
    ++activities_;
    if (audit_) {
        audit_->started(activity);
    }
    const auto id = engine_.start(activity);
    if (watch_) {
        watch_start(id, activity);
    }
    return id;
}

void Executor::arrive(RankId rank, std::uint32_t stream, const workload::Task& task)
{
    const auto& asked = progress_.program(rank).collectives[task.payload];
    const Port port{rank, asked.slot};
    if (rendezvous_.has_left(port) || !rendezvous_.may_enter(port, stream)) {
        return;
    }
    const auto communicator = rendezvous_.communicator(rank, asked.slot);
    auto& meeting = rendezvous_.meeting(communicator);
    if (meeting.arrived == 0) {
        meeting.asked = &asked;
        meeting.first = rank;
    } else {
        check_same(communicator, rank, asked);
    }
    rendezvous_.enter(port, stream);
    progress_.cursor(rank, stream).head = Head::waiting;
    if (watch_) {
        watch_->path().member_arrived(communicator, engine_.now());
    }
    enter_chunks(communicator, rank);
    if (++meeting.arrived == rendezvous_.members(communicator)) {
        if (watch_) {
            watch_waits(communicator, rank);
        }
        start_collective(communicator);
    }
}

void Executor::check_same(CommunicatorId communicator, RankId rank,
                          const workload::Collective& asked) const
{
    const auto& meeting = rendezvous_.meeting(communicator);
    if (asked.kind == meeting.asked->kind && asked.size == meeting.asked->size) {
        return;
    }
    throw Error{fmt::format(
        "collective {} of communicator {} differs between its members: rank {} brings \"{}\" of "
        "{} B, rank {} brings \"{}\" of {} B",
        meeting.sequence, instances_.communicators[communicator.index()].index(),
        rank_in(instances_, communicator, meeting.first).index(),
        graph_.labels[meeting.asked->label], meeting.asked->size.base(),
        rank_in(instances_, communicator, rank).index(), graph_.labels[asked.label],
        asked.size.base())};
}

void Executor::start_collective(CommunicatorId communicator)
{
    auto& meeting = rendezvous_.meeting(communicator);
    meeting.plan = &lowering_.collective(communicator, *meeting.asked);
    meeting.phase = 0;
    meeting.started = engine_.now();
    for (const auto& port : rendezvous_.ports(communicator)) {
        auto& cursor = progress_.cursor(port.rank, rendezvous_.stream(port));
        cursor.head = Head::running;
        cursor.since = engine_.now();
        ledger_.transfer_started(port.rank, purpose(communicator), engine_.now());
        charge(port.rank);
    }
    if (!meeting.plan->chunked()) {
        meeting.began = meeting.started;
        if (meeting.plan->holds_sms) {
            for (const auto& port : rendezvous_.ports(communicator)) {
                hold(port.rank, instances_.cluster.collective.channel_sms);
            }
        }
        start_phase(communicator);
    }
}

void Executor::start_phase(CommunicatorId communicator)
{
    auto& meeting = rendezvous_.meeting(communicator);
    const auto& plan = *meeting.plan;
    engine::Activity activity;
    activity.token = kCollective | communicator.index();
    if (plan.phases.empty()) {
        // Nothing moves, but the end still comes through the engine, in its order.
        meeting.moving = 1;
        start(activity);
        return;
    }
    const auto phase = plan.phases[meeting.phase];
    meeting.moving = phase.flows;
    for (std::uint32_t i = 0; i < phase.flows; ++i) {
        if (live_routes_) {
            live_routes_->start(plan, phase.first_flow + i, activity.token | flow_bits(i));
            continue;
        }
        const auto& flow = plan.flows[phase.first_flow + i];
        activity.amount = flow.amount;
        activity.latency = flow.latency;
        activity.share = flow.share;
        activity.rate_cap = flow.rate_cap;
        activity.uses = {plan.uses.data() + flow.first_use, flow.uses};
        start(activity);
    }
}

void Executor::flow_ended(CommunicatorId communicator)
{
    auto& meeting = rendezvous_.meeting(communicator);
    SIM_EXPECT(meeting.moving > 0);
    if (--meeting.moving > 0) {
        return;
    }
    if (++meeting.phase < meeting.plan->phases.size()) {
        start_phase(communicator);
    } else {
        end_collective(communicator);
    }
}

void Executor::end_collective(CommunicatorId communicator)
{
    const auto ports = rendezvous_.ports(communicator);
    if (watch_) {
        watch_collective_end(communicator);
    }
    for (const auto& port : ports) {
        settle(port);
    }
    for (const auto& port : ports) {
        leave(port);
    }
    close_meeting(communicator);
    // All members have left before the first goes on: it may come straight back for the next one.
    for (const auto& port : ports) {
        if (!done_) {
            advance(port.rank);
        }
    }
}

/// What a member's collective cost, once it has ended.
void Executor::settle(const Port& port)
{
    const auto communicator = rendezvous_.communicator(port.rank, port.slot);
    const auto& meeting = rendezvous_.meeting(communicator);
    const auto now = engine_.now();
    const auto why = purpose(communicator);
    if (meeting.plan->holds_sms) {
        hold(port.rank, -instances_.cluster.collective.channel_sms);
    }
    ledger_.transfer_ended(port.rank, why, now);
    if (meeting.plan->binding) {
        ledger_.bound_by(port.rank, why, *meeting.plan->binding, now - meeting.started);
    }
}

void Executor::leave(const Port& port)
{
    const auto stream = rendezvous_.stream(port);
    rendezvous_.leave(port);
    end_head(port.rank, stream);
}

/// The last member has left.
void Executor::close_meeting(CommunicatorId communicator)
{
    auto& meeting = rendezvous_.meeting(communicator);
    if (audit_) {
        audit_collective(meeting, communicator);
    }
    fingerprint_.add(engine_.now().base());
    fingerprint_.add(kCollective | communicator.index());
    meeting.plan = nullptr;
    meeting.arrived = 0;
    meeting.chunks.reset();
    ++meeting.sequence;
}

void Executor::end_head(RankId rank, std::uint32_t stream)
{
    const auto& cursor = progress_.cursor(rank, stream);
    const auto step = cursor.step;
    if (watch_) {
        watch_->memory().ended(rank, stream, cursor.position, engine_.now());
    }
    if (recorder_ != nullptr) {
        recorder_->ended(rank, stream, *progress_.head(rank, stream), cursor.since);
    }
    if (progress_.end_head(rank, stream)) {
        rank_ended_step(step);
    }
}

}  // namespace sim::replay

#include "replay/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "collective/words.hpp"
#include "core/contract.hpp"
#include "replay/chunk_lowering.hpp"
#include "replay/conservation.hpp"
#include "replay/flow_lowering.hpp"
#include "replay/hbm_classes.hpp"

namespace sim::replay
{

namespace
{

collective::Kind planner_kind(workload::CollectiveKind kind)
{
    switch (kind) {
        case workload::CollectiveKind::all_reduce:
            return collective::Kind::all_reduce;
        case workload::CollectiveKind::all_gather:
            return collective::Kind::all_gather;
        case workload::CollectiveKind::reduce_scatter:
            return collective::Kind::reduce_scatter;
        case workload::CollectiveKind::send_recv:
            return collective::Kind::send_recv;
        case workload::CollectiveKind::all_to_all:
            return collective::Kind::all_to_all;
        case workload::CollectiveKind::broadcast:
            return collective::Kind::broadcast;
    }
    throw ContractViolation{"a collective of no kind"};
}

/// What switches reduce has none.
bool has_steps(const collective::Schedule& schedule)
{
    for (const auto& phase : schedule.phases) {
        for (const auto& flow : phase.flows) {
            if (flow.hops.empty()) {
                return false;
            }
        }
    }
    return true;
}

LoweredKernel lower_kernel(const workload::Kernel& kernel, const spec::GpuSpec& gpu)
{
    LoweredKernel lowered;
    lowered.of_host = kernel.of_host;
    lowered.exposes_communication = kernel.exposes_communication;
    if (kernel.recorded_seconds || kernel.of_host) {
        lowered.recorded = true;
        lowered.latency = Time::of(kernel.recorded_seconds.value_or(0));
        return lowered;
    }
    lowered.cost = compute::cost(kernel.operation, gpu);
    lowered.latency = lowered.cost.launch;
    return lowered;
}

}  // namespace

Lowering::Lowering(const Machine& machine, const workload::TaskGraph& graph,
                   const spec::FidelitySpec& fidelity)
    : machine_{machine},
      graph_{graph},
      fidelity_{fidelity},
      planner_{machine.fabric(), machine.router(), machine.cluster()},
      plans_(graph.communicators.size())
{
    const HbmClasses classes{machine.cluster().node.gpu};
    for (const auto& program : graph.programs) {
        auto& lowered = kernels_.emplace_back();
        for (const auto& kernel : program.kernels) {
            lowered.push_back(lower_kernel(kernel, classes.gpu(kernel.operation.kind)));
        }
        if (!program.copies.empty() && !copy_lowering_) {
            copy_lowering_.emplace(machine);
            copies_.resize(graph.ranks());
        }
    }
}

std::unique_ptr<LoweredCopy>& Lowering::copy_slot(RankId rank, std::uint32_t payload)
{
    auto& of_rank = copies_[rank.index()];
    if (of_rank.empty()) {
        of_rank.resize(graph_.programs[graph_.program_of_rank[rank.index()].index()].copies.size());
    }
    return of_rank[payload];
}

const LoweredCopy& Lowering::copy(RankId rank, std::uint32_t payload)
{
    auto& slot = copy_slot(rank, payload);
    if (!slot) {
        const auto& program = graph_.programs[graph_.program_of_rank[rank.index()].index()];
        slot = std::make_unique<LoweredCopy>(
            copy_lowering_->lower(machine_.gpu_of(rank), program.copies[payload]));
    }
    return *slot;
}

void Lowering::adopt(RankId rank, std::uint32_t payload, LoweredCopy copy)
{
    copy_slot(rank, payload) = std::make_unique<LoweredCopy>(std::move(copy));
}

spec::Fidelity Lowering::fidelity(workload::CollectiveKind kind) const
{
    const auto own = [&] {
        switch (kind) {
            case workload::CollectiveKind::all_reduce:
                return fidelity_.all_reduce;
            case workload::CollectiveKind::all_gather:
                return fidelity_.all_gather;
            case workload::CollectiveKind::reduce_scatter:
                return fidelity_.reduce_scatter;
            case workload::CollectiveKind::all_to_all:
                return fidelity_.all_to_all;
            case workload::CollectiveKind::broadcast:
                return fidelity_.broadcast;
            case workload::CollectiveKind::send_recv:
                return fidelity_.send_recv;
        }
        return std::optional<spec::Fidelity>{};
    };
    return own().value_or(fidelity_.otherwise);
}

const LoweredCollective& Lowering::collective(CommunicatorId communicator,
                                              const workload::Collective& collective)
{
    auto& plans = plans_[communicator.index()];
    for (const auto& planned : plans) {
        if (planned.is_of(collective)) {
            return *planned.plan;
        }
    }
    plans.push_back({collective.kind, collective.size, collective.recorded_seconds,
                     std::make_unique<LoweredCollective>(lower(communicator, collective))});
    return *plans.back().plan;
}

void Lowering::adopt(CommunicatorId communicator, const workload::Collective& collective,
                     LoweredCollective plan)
{
    plans_[communicator.index()].push_back({collective.kind, collective.size,
                                            collective.recorded_seconds,
                                            std::make_unique<LoweredCollective>(std::move(plan))});
}

std::vector<GpuId> Lowering::members(CommunicatorId communicator) const
{
    std::vector<GpuId> members;
    for (const auto rank : graph_.communicators[communicator.index()].members) {
        members.push_back(machine_.gpu_of(rank));
    }
    return members;
}

collective::Schedule Lowering::plan(CommunicatorId communicator,
                                    const workload::Collective& collective) const
{
    const auto of = members(communicator);
    collective::Request request;
    request.kind = planner_kind(collective.kind);
    request.size = collective.size;
    request.members = of;
    request.label = communicator.index();
    request.hops = fidelity(collective.kind) == spec::Fidelity::chunk;
    return planner_.plan(request);
}

std::vector<SentOverNetwork> Lowering::network_pairs(CommunicatorId communicator,
                                                     const workload::Collective& collective) const
{
    std::map<std::pair<GpuId, GpuId>, double> bytes;
    for (const auto& phase : plan(communicator, collective).phases) {
        for (const auto& flow : phase.flows) {
            for (const auto& route : flow.routes) {
                bytes[{route.from, route.to}] += flow.amount * route.consumption;
            }
        }
    }
    std::vector<SentOverNetwork> sent;
    for (const auto& [ends, sum] : bytes) {
        sent.push_back({ends.first, ends.second, sum});
    }
    return sent;
}

LoweredCollective Lowering::lower(CommunicatorId communicator,
                                  const workload::Collective& collective)
{
    if (collective.recorded_seconds) {
        LoweredCollective recorded;
        recorded.traffic.resize(graph_.communicators[communicator.index()].members.size());
        recorded.phases = {{0, 1}};
        recorded.flows.emplace_back().latency = Time::of(*collective.recorded_seconds);
        return recorded;
    }
    const auto members = this->members(communicator);
    const auto chosen = fidelity(collective.kind);
    const auto schedule = plan(communicator, collective);
    expect_conserved(schedule, machine_.fabric());

    LoweredCollective lowered;
    lowered.lower_bound = schedule.lower_bound;
    lowered.traffic.resize(members.size());
    for (const auto& phase : schedule.phases) {
        for (const auto& flow : phase.flows) {
            count_traffic(lowered, flow, members);
        }
    }
    if (schedule.phases.empty()) {
        return lowered;
    }
    const auto& links = machine_.fabric().graph.links();
    lowered.binding = kind_of(links[schedule.binding_link.index()].kind);
    lowered.holds_sms = chosen != spec::Fidelity::analytic;
    if (chosen == spec::Fidelity::analytic) {
        lower_analytic(lowered, schedule);
    } else if (chosen == spec::Fidelity::chunk && has_steps(schedule)) {
        lower_chunks(lowered, schedule, members, machine_);
    } else {
        if (chosen == spec::Fidelity::chunk) {
            say_no_steps(schedule, planner_kind(collective.kind));
        }
        lower_flows(lowered, schedule);
    }
    return lowered;
}

void Lowering::say_no_steps(const collective::Schedule& schedule, collective::Kind kind)
{
    auto text = fmt::format("{} by {} has no single steps: it is simulated as a flow",
                            collective::name(kind), collective::name(schedule.algorithm));
    if (std::find(told_.begin(), told_.end(), text) == told_.end()) {
        log_.warning(text);
        told_.push_back(std::move(text));
    }
}

Time Lowering::launch(const collective::Schedule& schedule) const
{
    return schedule.includes_launch ? Time{} : machine_.cluster().collective.launch;
}

void Lowering::lower_analytic(LoweredCollective& lowered,
                              const collective::Schedule& schedule) const
{
    lowered.phases = {{0, 1}};
    lowered.flows.emplace_back().latency = launch(schedule) + lowered.lower_bound;
}

void Lowering::lower_flows(LoweredCollective& lowered, const collective::Schedule& schedule) const
{
    for (const auto& phase : schedule.phases) {
        append(lowered, phase);
    }
    for (std::uint32_t flow = 0; flow < lowered.phases.front().flows; ++flow) {
        lowered.flows[flow].latency += launch(schedule);
    }
}

void Lowering::append(LoweredCollective& lowered, const collective::Phase& phase) const
{
    if (phase.flows.empty()) {
        return;
    }
    lowered.phases.push_back({static_cast<std::uint32_t>(lowered.flows.size()),
                              static_cast<std::uint32_t>(phase.flows.size())});
    for (const auto& flow : phase.flows) {
        append_flow(lowered, flow, machine_);
    }
}

/// A member's bytes are those on the links that leave its GPU; the ones not on NVLink go to its
/// NIC.
void Lowering::count_traffic(LoweredCollective& lowered, const collective::Flow& flow,
                             const std::vector<GpuId>& members) const
{
    const auto& fabric = machine_.fabric();
    std::vector<std::pair<VertexId, std::size_t>> position;
    for (std::size_t member = 0; member < members.size(); ++member) {
        position.emplace_back(fabric.gpus[members[member].index()], member);
    }
    std::sort(position.begin(), position.end());
    for (const auto& use : flow.links) {
        const auto& link = fabric.graph.links()[use.link.index()];
        const auto found = std::lower_bound(position.begin(), position.end(),
                                            std::pair{link.from, std::size_t{0}});
        if (found == position.end() || found->first != link.from) {
            continue;
        }
        auto& traffic = lowered.traffic[found->second];
        const auto bytes = flow.amount * use.consumption;
        traffic.bytes += bytes;
        traffic.nic_bytes += link.kind == fabric::LinkKind::nvlink ? 0 : bytes;
    }
}

}  // namespace sim::replay

#include "replay/chunk_lowering.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/contract.hpp"

namespace sim::replay
{

namespace
{

using Positions = std::vector<std::pair<GpuId, std::uint32_t>>;

Positions positions_of(const std::vector<GpuId>& members)
{
    Positions positions;
    for (const auto gpu : members) {
        positions.emplace_back(gpu, static_cast<std::uint32_t>(positions.size()));
    }
    std::sort(positions.begin(), positions.end());
    return positions;
}

std::uint32_t position(const Positions& positions, GpuId gpu)
{
    const auto found =
        std::lower_bound(positions.begin(), positions.end(), std::pair{gpu, std::uint32_t{0}});
    SIM_EXPECT(found != positions.end() && found->first == gpu);
    return found->second;
}

/// How long a phase must take: no hop ends before its own steps, no link before all its bytes.
/// `least` is the shortest of its hops, for members that are not on the longest.
struct PhaseBound {
    Time most{};
    Time least = Time::of(std::numeric_limits<double>::infinity());
};

PhaseBound phase_bound(const collective::Phase& phase, const fabric::Graph& graph)
{
    PhaseBound bound;
    std::vector<std::pair<LinkId, Time>> busy;
    for (const auto& flow : phase.flows) {
        for (const auto& hop : flow.hops) {
            Time moving{};
            for (const auto& use : hop.links) {
                const auto& link = graph.links()[use.link.index()];
                const auto time = Time::of(flow.amount * use.consumption / link.bandwidth.base());
                busy.emplace_back(use.link, time);
                moving = std::max(moving, time);
            }
            // What a cap keeps it from is not in it: the bound may be low.
            const auto alone = hop.latency * static_cast<double>(flow.steps) + moving;
            bound.most = std::max(bound.most, alone);
            bound.least = std::min(bound.least, alone);
        }
    }
    std::stable_sort(busy.begin(), busy.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < busy.size();) {
        const auto link = busy[i].first;
        Time sum{};
        for (; i < busy.size() && busy[i].first == link; ++i) {
            sum += busy[i].second;
        }
        bound.most = std::max(bound.most, sum);
    }
    return bound;
}

/// Members go from phase to phase on their own, so only the longest phase counts in full.
Time chunk_bound(const collective::Schedule& schedule, const fabric::Graph& graph)
{
    Time sum{};
    Time excess{};
    for (const auto& phase : schedule.phases) {
        const auto bound = phase_bound(phase, graph);
        sum += bound.least;
        excess = std::max(excess, bound.most - bound.least);
    }
    return sum + excess;
}

/// What hop `i` of the flow waits for: a ring's for the one before, a pipeline's for what it names.
void append_waits(ChunkPlan& plan, const collective::Flow& flow, std::uint32_t first,
                  std::uint32_t i)
{
    const auto count = static_cast<std::uint32_t>(flow.hops.size());
    auto& hop = plan.hops[first + i];
    hop.first_before = static_cast<std::uint32_t>(plan.before.size());
    if (flow.pipeline) {
        hop.ahead = 1;
        for (const auto before : flow.hops[i].waits) {
            plan.before.push_back(first + before);
        }
    } else if (flow.steps > 1) {
        plan.before.push_back(first + (i + count - 1) % count);
    }
    hop.befores = static_cast<std::uint32_t>(plan.before.size()) - hop.first_before;
}

/// A ring of `flow.hops`, the hops of a chain or tree, or sends.
void append_hops(LoweredCollective& lowered, const collective::Flow& flow, std::uint32_t phase,
                 const Positions& positions)
{
    auto& hops = lowered.chunks.hops;
    const auto first = static_cast<std::uint32_t>(hops.size());
    const auto count = static_cast<std::uint32_t>(flow.hops.size());
    SIM_EXPECT(count > 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto& hop = hops.emplace_back();
        hop.from = position(positions, flow.hops[i].from);
        hop.to = position(positions, flow.hops[i].to);
        hop.phase = phase;
        hop.steps = flow.steps;
        hop.amount = flow.amount / flow.steps;
        hop.latency = flow.hops[i].latency;
        hop.share = flow.hops[i].share;
        hop.rate_cap = flow.hops[i].rate_cap;
        append_waits(lowered.chunks, flow, first, i);
    }
}

void append_uses(LoweredCollective& lowered, const collective::Flow& flow, const Machine& machine)
{
    auto hop = lowered.chunks.hops.end() - static_cast<std::ptrdiff_t>(flow.hops.size());
    for (const auto& asked : flow.hops) {
        hop->first_use = static_cast<std::uint32_t>(lowered.uses.size());
        for (const auto& use : asked.links) {
            lowered.uses.push_back({machine.link(use.link), use.consumption});
        }
        for (const auto& use : asked.memories) {
            lowered.uses.push_back({machine.hbm(use.gpu), use.consumption});
        }
        hop->uses = static_cast<std::uint32_t>(lowered.uses.size()) - hop->first_use;
        ++hop;
    }
}

}  // namespace

void lower_chunks(LoweredCollective& lowered, const collective::Schedule& schedule,
                  const std::vector<GpuId>& members, const Machine& machine)
{
    const auto positions = positions_of(members);
    auto& plan = lowered.chunks;
    plan.members = static_cast<std::uint32_t>(members.size());
    plan.phases = static_cast<std::uint32_t>(schedule.phases.size());
    plan.launch = schedule.includes_launch ? Time{} : machine.cluster().collective.launch;
    for (std::uint32_t phase = 0; phase < plan.phases; ++phase) {
        for (const auto& flow : schedule.phases[phase].flows) {
            append_hops(lowered, flow, phase, positions);
            append_uses(lowered, flow, machine);
        }
    }
    index_members(plan);
    lowered.lower_bound = chunk_bound(schedule, machine.fabric().graph);
}

}  // namespace sim::replay

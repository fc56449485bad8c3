#include <fmt/format.h>

#include <algorithm>

#include "collective/bound.hpp"
#include "collective/exchange.hpp"
#include "collective/refusal.hpp"
#include "collective/schedule.hpp"
#include "collective/shapes.hpp"
#include "collective/words.hpp"
#include "core/contract.hpp"
#include "core/diagnostics.hpp"

namespace sim::collective
{
namespace
{

using spec::Protocol;

[[noreturn]] void refuse(Algorithm algorithm, const std::string& why)
{
    sim::refuse("collective.algorithm", fmt::format("{} {}", name(algorithm), why),
                "write auto: the fastest that the machine can run");
}

/// What the machine's description forces.
Algorithm forced(const spec::AlgorithmChoice& choice, Kind kind)
{
    switch (kind) {
        case Kind::all_reduce:
            return choice.all_reduce;
        case Kind::all_gather:
            return choice.all_gather;
        case Kind::reduce_scatter:
            return choice.reduce_scatter;
        case Kind::all_to_all:
            return choice.all_to_all;
        default:
            return Algorithm::automatic;
    }
}

Schedule bounded(std::vector<Phase> phases, Algorithm algorithm, const fabric::Graph& graph)
{
    const auto bound = lower_bound(phases, graph);
    Schedule schedule;
    schedule.lower_bound = bound.time;
    schedule.binding_link = bound.link;
    schedule.algorithm = algorithm;
    schedule.channels = phases.empty() ? 0 : phases.front().flows.size();
    schedule.phases = std::move(phases);
    return schedule;
}

/// The flows of one phase as the protocol moves them.
void apply(Phase& phase, const ProtocolCost& cost, double bus_bytes, Time fill)
{
    for (auto& flow : phase.flows) {
        flow.latency = cost.latency + fill;
        // What the pipeline takes in all is spread over the chunks that have to follow each other.
        const auto each = flow.latency / static_cast<double>(chunks_in_line(flow));
        for (auto& use : flow.links) {
            use.consumption /= cost.share;
        }
        for (auto& route : flow.routes) {
            route.consumption /= cost.share;
        }
        flow.rate_cap *= cost.share;
        if (cost.ceiling > 0) {
            flow.rate_cap = std::min(flow.rate_cap, flow.amount * cost.ceiling / bus_bytes);
        }
        for (auto& hop : flow.hops) {
            hop.latency = each;
            hop.rate_cap = flow.rate_cap;
            for (auto& use : hop.links) {
                use.consumption /= cost.share;
            }
        }
    }
}

/// The pipeline with each protocol; the fastest, nothing when there is none.
void consider(std::optional<Schedule>& best, const Situation& in, Algorithm algorithm,
              const fabric::Graph& graph)
{
    const double size = static_cast<double>(in.request.size.base());
    const auto shape = group_shape(in);
    auto wires = phases(in, algorithm);
    SIM_EXPECT(wires.size() == 1);
    for (auto& flow : wires.front().flows) {
        flow.latency = Time{};
    }
    const auto moving = lower_bound(wires, graph).time;
    for (const auto protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
        const auto cost =
            protocol_cost(*in.tuning(), shape, in.request.kind, algorithm, protocol, size);
        if (!cost) {
            continue;
        }
        auto moved = wires;
        const double bus_bytes = size * bus_factor(in.request.kind, shape.ranks);
        apply(moved.front(), *cost, bus_bytes, moving * (cost->fill / size));
        auto schedule = bounded(std::move(moved), algorithm, graph);
        schedule.protocol = protocol;
        schedule.includes_launch = true;
        if (!best || schedule.lower_bound < best->lower_bound) {
            best = std::move(schedule);
        }
    }
}

/// What a library weighs against each other; multimem is for kernels that a user writes.
constexpr Algorithm kWeighed[] = {Algorithm::ring,      Algorithm::tree,  Algorithm::nvls,
                                  Algorithm::nvls_tree, Algorithm::sharp, Algorithm::direct};

Schedule tuned(const Situation& in, const fabric::Graph& graph)
{
    std::optional<Schedule> best;
    if (in.request.algorithm != Algorithm::automatic) {
        consider(best, in, in.request.algorithm, graph);
    }
    for (const auto algorithm : kWeighed) {
        // In one node a chain is a ring without its last hop: the library does not choose it.
        const bool pointless = algorithm == Algorithm::tree && in.nodes.size() == 1;
        const bool weighed = in.request.algorithm == Algorithm::automatic && !pointless;
        if (weighed && is_pipeline(in.request.kind, algorithm) && !refusal(in, algorithm)) {
            consider(best, in, algorithm, graph);
        }
    }
    SIM_EXPECT(best.has_value());
    return std::move(*best);
}

/// Phases of whole steps pay a step of Simple each, and the base once.
Schedule stepped(const Situation& in, Algorithm algorithm, const fabric::Graph& graph)
{
    auto steps = phases(in, algorithm);
    const auto& tuning = in.tuning();
    if (tuning && is_exchange(algorithm)) {
        const auto hop = widest_hop(*tuning, group_shape(in), tuning->simple);
        for (auto& phase : steps) {
            for (auto& flow : phase.flows) {
                flow.latency = std::max(flow.latency, hop);
            }
        }
    }
    return bounded(std::move(steps), algorithm, graph);
}

/// Without a library's tuning: one pipeline's own bound against the hierarchical one.
Schedule untuned(const Situation& in, const fabric::Graph& graph)
{
    const auto plain = sends_pairs(in.request.kind) ? Algorithm::direct : Algorithm::ring;
    const auto flat = [&] { return bounded(phases(in, plain), plain, graph); };
    const bool one_level = in.nodes.size() == 1 || in.nodes.size() == in.request.members.size();
    if (one_level || refusal(in, Algorithm::hierarchical)) {
        return flat();
    }
    auto hierarchical =
        bounded(phases(in, Algorithm::hierarchical), Algorithm::hierarchical, graph);
    auto pipeline = flat();
    return pipeline.lower_bound <= hierarchical.lower_bound ? pipeline : hierarchical;
}

}  // namespace

Planner::Planner(const fabric::Fabric& fabric, const fabric::Router& router,
                 const spec::ClusterSpec& cluster)
    : fabric_{fabric}, router_{router}, cluster_{cluster}
{
}

Schedule Planner::plan(const Request& asked) const
{
    auto request = asked;
    if (request.kind == Kind::barrier) {
        // A library's barrier is an all-reduce of one number.
        request.kind = Kind::all_reduce;
        request.size = Bytes::of(4);
    }
    if (request.members.size() < 2 || request.size <= Bytes{}) {
        return {};
    }
    SIM_EXPECT(request.kind != Kind::send_recv || request.members.size() == 2);
    if (request.algorithm == Algorithm::automatic) {
        request.algorithm = forced(cluster_.collective.algorithm, request.kind);
    }
    const FlowBuilder flows{fabric_, router_, cluster_.fabric, request.hops};
    const Situation in{fabric_, flows, cluster_, request,
                       group_by_node(request.members, fabric_.node_of_gpu)};
    const bool forced = request.algorithm != Algorithm::automatic;
    if (forced) {
        if (const auto why = refusal(in, request.algorithm)) {
            refuse(request.algorithm, *why);
        }
    }
    if (forced && (!in.tuning() || !is_pipeline(request.kind, request.algorithm))) {
        return stepped(in, request.algorithm, fabric_.graph);
    }
    return in.tuning() ? tuned(in, fabric_.graph) : untuned(in, fabric_.graph);
}

}  // namespace sim::collective

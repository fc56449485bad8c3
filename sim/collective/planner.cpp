#include <fmt/format.h>

#include <algorithm>

#include "collective/bound.hpp"
#include "collective/flow.hpp"
#include "collective/rings.hpp"
#include "collective/schedule.hpp"
#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/random.hpp"

namespace sim::collective
{
namespace
{

using Nodes = std::vector<NodeGroup>;

double bytes(const Request& request) { return static_cast<double>(request.size.base()); }

/// Tells the flows of one communicator apart.
std::uint64_t flow_label(const Request& request, std::size_t flow)
{
    return mix(request.label, flow);
}

Phase ring_phase(const fabric::Fabric& fabric, const FlowBuilder& flows, const Request& request,
                 const Nodes& nodes)
{
    const auto orders = rings(fabric, nodes);
    const double part = bytes(request) / static_cast<double>(orders.size());
    Phase phase;
    for (std::size_t channel = 0; channel < orders.size(); ++channel) {
        phase.flows.push_back(
            flows.ring(request.kind, orders[channel], part, flow_label(request, channel)));
    }
    return phase;
}

/// Every node on its own, over NVLink.
Phase inside_nodes(const FlowBuilder& flows, Kind kind, const Request& request, const Nodes& nodes)
{
    Phase phase;
    for (const auto& node : nodes) {
        phase.flows.push_back(flows.ring(kind, node.members, bytes(request), request.label));
    }
    return phase;
}

/// The members of equal position on all nodes, each rail with its part of the buffer.
Phase over_rails(const FlowBuilder& flows, const Request& request, const Nodes& nodes)
{
    const auto rails = nodes.front().members.size();
    Phase phase;
    for (std::size_t rail = 0; rail < rails; ++rail) {
        std::vector<GpuId> ring;
        for (const auto& node : nodes) {
            ring.push_back(node.members[rail]);
        }
        phase.flows.push_back(flows.ring(request.kind, ring,
                                         bytes(request) / static_cast<double>(rails),
                                         flow_label(request, rail)));
    }
    return phase;
}

std::vector<Phase> hierarchical_phases(const FlowBuilder& flows, const Request& request,
                                       const Nodes& nodes)
{
    std::vector<Phase> phases;
    if (request.kind != Kind::all_gather) {
        phases.push_back(inside_nodes(flows, Kind::reduce_scatter, request, nodes));
    }
    phases.push_back(over_rails(flows, request, nodes));
    if (request.kind != Kind::reduce_scatter) {
        phases.push_back(inside_nodes(flows, Kind::all_gather, request, nodes));
    }
    return phases;
}

/// A node whose number of members differs from the first one's; null when there is none.
const NodeGroup* odd_one_out(const Nodes& nodes)
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NodeGroup& node) {
        return node.members.size() != nodes.front().members.size();
    });
    return found == nodes.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_hierarchical(const NodeGroup& first, const NodeGroup& odd)
{
    Diagnostic diagnostic;
    diagnostic.key = "collective.algorithm";
    diagnostic.message = fmt::format(
        "hierarchical needs equally many members on every node, but node{} has {} and node{} has "
        "{}",
        first.node.index(), first.members.size(), odd.node.index(), odd.members.size());
    diagnostic.hint = "write ring or automatic";
    throw InputError{{diagnostic}};
}

Schedule bounded(std::vector<Phase> phases, Algorithm algorithm, const fabric::Graph& graph)
{
    const auto bound = lower_bound(phases, graph);
    return {std::move(phases), bound.time, bound.link, algorithm};
}

}  // namespace

Planner::Planner(const fabric::Fabric& fabric, const fabric::Router& router,
                 const spec::ClusterSpec& cluster)
    : fabric_{fabric}, router_{router}, cluster_{cluster}
{
}

Schedule Planner::plan(const Request& request) const
{
    if (request.members.size() < 2 || request.size <= Bytes{}) {
        return {};
    }
    const FlowBuilder flows{fabric_, router_, cluster_.fabric.connections, request.hops};
    if (request.kind == Kind::send_recv) {
        SIM_EXPECT(request.members.size() == 2);
        auto flow = flows.send(request.members[0], request.members[1], bytes(request),
                               flow_label(request, 0));
        return bounded({Phase{{std::move(flow)}}}, Algorithm::ring, fabric_.graph);
    }
    const auto nodes = group_by_node(request.members, fabric_.node_of_gpu);
    const auto* odd = odd_one_out(nodes);
    const bool one_level = nodes.size() == 1 || nodes.size() == request.members.size();
    if (request.algorithm == Algorithm::hierarchical && odd != nullptr) {
        refuse_hierarchical(nodes.front(), *odd);
    }
    const auto plan_ring = [&] {
        return bounded({ring_phase(fabric_, flows, request, nodes)}, Algorithm::ring,
                       fabric_.graph);
    };
    if (request.algorithm == Algorithm::ring || one_level || odd != nullptr) {
        return plan_ring();
    }
    auto hierarchical =
        bounded(hierarchical_phases(flows, request, nodes), Algorithm::hierarchical, fabric_.graph);
    if (request.algorithm == Algorithm::hierarchical) {
        return hierarchical;
    }
    auto ring = plan_ring();
    return ring.lower_bound <= hierarchical.lower_bound ? ring : hierarchical;
}

}  // namespace sim::collective

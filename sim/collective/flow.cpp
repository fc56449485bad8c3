#include "collective/flow.hpp"

#include <algorithm>

#include "collective/steps.hpp"
#include "core/contract.hpp"

namespace sim::collective
{
namespace
{

/// A network sender also writes the outgoing copy to its memory, where the NIC reads it.
constexpr double kNetworkSend = 2;

/// Ascending by link, each once. Stable, so that the sums do not depend on the sort.
void merge(std::vector<LinkUse>& uses)
{
    std::stable_sort(uses.begin(), uses.end(),
                     [](const LinkUse& a, const LinkUse& b) { return a.link < b.link; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < uses.size(); ++i) {
        if (uses[i].link == uses[kept].link) {
            uses[kept].consumption += uses[i].consumption;
        } else {
            uses[++kept] = uses[i];
        }
    }
    uses.resize(uses.empty() ? 0 : kept + 1);
}

}  // namespace

double ring_memory_traffic(Kind kind, std::size_t members)
{
    const auto others = static_cast<double>(members - 1);
    return kind == Kind::reduce_scatter ? 3 + 2 / others : 3 + 1 / others;
}

bool FlowBuilder::add_hop(Flow& flow, const fabric::Route& route) const
{
    bool by_nic = false;
    for (const auto& hop : route.hops) {
        flow.links.push_back({hop.link, hop.fraction});
        by_nic = by_nic || fabric_.graph.links()[hop.link.index()].kind == fabric::LinkKind::nic;
    }
    if (by_nic) {
        flow.share = connections_;
    }
    return by_nic;
}

Flow FlowBuilder::ring(Kind kind, std::span<const GpuId> ring, double size,
                       std::uint64_t label) const
{
    SIM_EXPECT(ring.size() >= 2);
    const auto members = static_cast<double>(ring.size());
    const double steps = ring_step_count(kind, static_cast<std::uint32_t>(ring.size()));
    const double traffic = ring_memory_traffic(kind, ring.size());
    Flow flow;
    flow.amount = steps * size / members;
    Time slowest;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto route = router_.route(ring[i], ring[(i + 1) % ring.size()], label);
        slowest = std::max(slowest, route.latency);
        const bool by_nic = add_hop(flow, route);
        flow.memories.push_back({ring[i], traffic + (by_nic ? kNetworkSend : 0)});
    }
    flow.latency = slowest * steps;
    merge(flow.links);
    return flow;
}

Flow FlowBuilder::send(GpuId from, GpuId to, double size, std::uint64_t label) const
{
    const auto route = router_.route(from, to, label);
    Flow flow;
    flow.amount = size;
    flow.latency = route.latency;
    const bool by_nic = add_hop(flow, route);
    flow.memories = {{from, 1 + (by_nic ? kNetworkSend : 0)}, {to, 3}};
    merge(flow.links);
    return flow;
}

}  // namespace sim::collective

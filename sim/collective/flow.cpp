#include "collective/flow.hpp"

#include <algorithm>
#include <utility>

#include "collective/steps.hpp"
#include "core/contract.hpp"

namespace sim::collective
{
namespace
{

/// A network sender also writes the outgoing copy to its memory, where the NIC reads it.
constexpr double kNetworkSend = 2;

/// A sender reads each byte once; a receiver writes it to staging, reads it there and writes it.
constexpr double kSend = 1;
constexpr double kReceive = 3;

LinkId key(const LinkUse& use) { return use.link; }
GpuId key(const MemoryUse& use) { return use.gpu; }

/// Ascending by link or GPU, each once. Stable, so that the sums do not depend on the sort.
template <class Use>
void merge(std::vector<Use>& uses)
{
    std::stable_sort(uses.begin(), uses.end(),
                     [](const Use& a, const Use& b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < uses.size(); ++i) {
        if (key(uses[i]) == key(uses[kept])) {
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

void FlowBuilder::add_hop(Flow& flow, const fabric::Route& route, const MemoryUse& sent,
                          const MemoryUse& received) const
{
    Hop hop{sent.gpu, received.gpu, route.latency, 1, {}, {sent, received}};
    bool by_nic = false;
    for (const auto& crossing : route.hops) {
        hop.links.push_back({crossing.link, crossing.fraction});
        by_nic =
            by_nic || fabric_.graph.links()[crossing.link.index()].kind == fabric::LinkKind::nic;
    }
    if (by_nic) {
        hop.share = connections_;
        hop.memories.front().consumption += kNetworkSend;
        flow.share = connections_;
    }
    flow.links.insert(flow.links.end(), hop.links.begin(), hop.links.end());
    flow.memories.insert(flow.memories.end(), hop.memories.begin(), hop.memories.end());
    if (hops_) {
        flow.hops.push_back(std::move(hop));
    }
}

Flow FlowBuilder::ring(Kind kind, std::span<const GpuId> ring, double size,
                       std::uint64_t label) const
{
    SIM_EXPECT(ring.size() >= 2);
    const auto members = static_cast<double>(ring.size());
    const double traffic = ring_memory_traffic(kind, ring.size());
    Flow flow;
    flow.steps = ring_step_count(kind, static_cast<std::uint32_t>(ring.size()));
    flow.amount = flow.steps * size / members;
    Time slowest;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto to = ring[(i + 1) % ring.size()];
        const auto route = router_.route(ring[i], to, label);
        slowest = std::max(slowest, route.latency);
        add_hop(flow, route, {ring[i], kSend}, {to, traffic - kSend});
    }
    flow.latency = slowest * static_cast<double>(flow.steps);
    merge(flow.links);
    merge(flow.memories);
    return flow;
}

Flow FlowBuilder::send(GpuId from, GpuId to, double size, std::uint64_t label) const
{
    const auto route = router_.route(from, to, label);
    Flow flow;
    flow.amount = size;
    flow.latency = route.latency;
    add_hop(flow, route, {from, kSend}, {to, kReceive});
    merge(flow.links);
    merge(flow.memories);
    return flow;
}

}  // namespace sim::collective

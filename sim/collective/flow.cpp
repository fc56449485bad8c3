#include "collective/flow.hpp"

#include <algorithm>
#include <cmath>
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

/// In a pipeline a receiver reads and writes what it passes on.
constexpr double kPassOn = 2;

/// Chunks of a pipeline: an eighth of the library's buffer of 4 MiB, and not so many that each is
/// simulated at length for little.
constexpr double kChunk = 512 * 1024;
constexpr double kMostChunks = 64;

LinkId key(const LinkUse& use) { return use.link; }
GpuId key(const MemoryUse& use) { return use.gpu; }

/// Ascending by link or GPU, each once. Stable, so that the sums do not depend on the sort.
template <class Use>
void merge_uses(std::vector<Use>& uses)
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

void merge(std::vector<LinkUse>& uses) { merge_uses(uses); }

Flow coupled(const std::vector<Flow>& flows)
{
    Flow all;
    all.share = 0;
    for (const auto& flow : flows) {
        all.amount += flow.amount;
        all.share += flow.share;
        all.latency = std::max(all.latency, flow.latency);
    }
    for (const auto& flow : flows) {
        const double part = flow.amount / all.amount;
        for (const auto& use : flow.links) {
            all.links.push_back({use.link, use.consumption * part});
        }
        for (const auto& use : flow.memories) {
            all.memories.push_back({use.gpu, use.consumption * part});
        }
        for (auto route : flow.routes) {
            route.consumption *= part;
            all.routes.push_back(route);
        }
        all.rate_cap = std::min(all.rate_cap, flow.rate_cap / part);
    }
    merge_uses(all.links);
    merge_uses(all.memories);
    return all;
}

std::uint32_t pipeline_chunks(double amount)
{
    return static_cast<std::uint32_t>(std::clamp(std::ceil(amount / kChunk), 1.0, kMostChunks));
}

std::uint32_t chunks_in_line(const Flow& flow)
{
    if (!flow.pipeline) {
        return flow.steps;
    }
    std::vector<std::uint32_t> depth(flow.hops.size(), 1);
    std::uint32_t longest = 1;
    for (std::size_t hop = 0; hop < depth.size(); ++hop) {
        for (const auto before : flow.hops[hop].waits) {
            depth[hop] = std::max(depth[hop], depth[before] + 1);
        }
        longest = std::max(longest, depth[hop]);
    }
    return longest + flow.steps - 1;
}

double ring_memory_traffic(Kind kind, std::size_t members)
{
    const auto others = static_cast<double>(members - 1);
    return kind == Kind::reduce_scatter ? 3 + 2 / others : 3 + 1 / others;
}

/// What the route takes is kept apart too, and no queue pair goes faster than it may; the most the
/// flow may then do.
double FlowBuilder::add_network(Flow& flow, const fabric::Route& route, double consumption) const
{
    auto most = std::numeric_limits<double>::infinity();
    if (!(consumption > 0)) {
        return most;
    }
    flow.routes.push_back({route.from, route.to, route.label, consumption});
    if (queue_pair_rate_) {
        most = *queue_pair_rate_ / Bandwidth::of(1) * connections_ / consumption;
        flow.rate_cap = std::min(flow.rate_cap, most);
    }
    return most;
}

void FlowBuilder::add_hop(Flow& flow, const fabric::Route& route, const MemoryUse& sent,
                          const MemoryUse& received, double part) const
{
    Hop hop{sent.gpu, received.gpu, route.latency, 1, {}, {sent, received}};
    bool by_nic = false;
    for (const auto& crossing : route.hops) {
        hop.links.push_back({crossing.link, crossing.fraction * part});
        by_nic =
            by_nic || fabric_.graph.links()[crossing.link.index()].kind == fabric::LinkKind::nic;
    }
    if (by_nic) {
        hop.share = connections_;
        hop.memories.front().consumption += kNetworkSend;
        flow.share = connections_;
        hop.rate_cap = add_network(flow, route, part);
    }
    for (auto& use : hop.memories) {
        use.consumption *= part;
    }
    flow.links.insert(flow.links.end(), hop.links.begin(), hop.links.end());
    flow.memories.insert(flow.memories.end(), hop.memories.begin(), hop.memories.end());
    if (hops_) {
        flow.hops.push_back(std::move(hop));
    }
}

bool FlowBuilder::add_route(Flow& flow, const fabric::Route& route, double consumption) const
{
    bool by_nic = false;
    for (const auto& hop : route.hops) {
        flow.links.push_back({hop.link, hop.fraction * consumption});
        by_nic = by_nic || fabric_.graph.links()[hop.link.index()].kind == fabric::LinkKind::nic;
    }
    if (by_nic) {
        flow.share = connections_;
        add_network(flow, route, consumption);
    }
    return by_nic;
}

Time FlowBuilder::add_links(Flow& flow, Ends ends, double consumption, std::uint64_t label,
                            const std::vector<std::uint32_t>& waits) const
{
    const auto route = router_.route(ends.from, ends.to, label);
    const bool by_nic = add_route(flow, route, consumption);
    if (hops_) {
        add_waiting_hop(flow, route, ends, consumption);
        flow.hops.back().share = by_nic ? connections_ : 1;
        flow.hops.back().waits = waits;
    }
    return route.latency;
}

void FlowBuilder::add_waiting_hop(Flow& flow, const fabric::Route& route, Ends ends,
                                  double consumption)
{
    auto& hop = flow.hops.emplace_back();
    hop.from = ends.from;
    hop.to = ends.to;
    hop.latency = route.latency;
    for (const auto& crossing : route.hops) {
        hop.links.push_back({crossing.link, crossing.fraction * consumption});
    }
    hop.memories.push_back({ends.to, kPassOn * consumption});
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
    merge_uses(flow.links);
    merge_uses(flow.memories);
    return flow;
}

Flow FlowBuilder::send(GpuId from, GpuId to, double size, std::uint64_t label) const
{
    const auto route = router_.route(from, to, label);
    Flow flow;
    flow.amount = size;
    flow.latency = route.latency;
    add_hop(flow, route, {from, kSend}, {to, kReceive});
    merge_uses(flow.links);
    merge_uses(flow.memories);
    return flow;
}

Flow FlowBuilder::chain(std::span<const GpuId> chain, double size, std::uint64_t label) const
{
    SIM_EXPECT(chain.size() >= 2);
    Flow flow;
    flow.amount = size;
    flow.pipeline = true;
    flow.steps = pipeline_chunks(size);
    for (std::size_t i = 0; i < chain.size(); ++i) {
        double traffic = i == 0 ? kSend : kReceive;
        if (i + 1 < chain.size()) {
            const auto route = router_.route(chain[i], chain[i + 1], label);
            flow.latency += route.latency;
            const bool by_nic = add_route(flow, route, 1);
            traffic += by_nic ? kNetworkSend : 0;
            if (hops_) {
                add_waiting_hop(flow, route, {chain[i], chain[i + 1]}, 1);
                flow.hops.back().share = by_nic ? connections_ : 1;
                if (i > 0) {
                    flow.hops.back().waits = {static_cast<std::uint32_t>(i - 1)};
                }
            }
        }
        flow.memories.push_back({chain[i], traffic});
    }
    merge_uses(flow.links);
    return flow;
}

Flow FlowBuilder::scatter(GpuId from, std::span<const Part> parts, std::uint64_t label) const
{
    Flow flow;
    for (const auto& part : parts) {
        flow.amount += part.size;
    }
    // A large group crosses the same links thousands of times: they are summed as they come.
    std::vector<double> crossed(fabric_.graph.links().size(), 0.0);
    for (const auto& part : parts) {
        const auto route = router_.route(from, part.to, label);
        flow.latency = std::max(flow.latency, route.latency);
        add_hop(flow, route, {from, kSend}, {part.to, kReceive}, part.size / flow.amount);
        for (const auto& use : flow.links) {
            crossed[use.link.index()] += use.consumption;
        }
        flow.links.clear();
    }
    for (std::size_t link = 0; link < crossed.size(); ++link) {
        if (crossed[link] > 0) {
            flow.links.push_back({LinkId{link}, crossed[link]});
        }
    }
    merge_uses(flow.memories);
    return flow;
}

void FlowBuilder::add_reducing_tree(Flow& flow, std::span<const GpuId> leaves, double consumption,
                                    std::uint64_t label) const
{
    std::vector<LinkUse> up;
    for (const auto leaf : leaves.subspan(1)) {
        const auto route = router_.route(leaf, leaves.front(), label);
        flow.latency = std::max(flow.latency, route.latency);
        for (const auto& hop : route.hops) {
            up.push_back({hop.link, hop.fraction});
        }
    }
    std::stable_sort(up.begin(), up.end(), [](const LinkUse& a, const LinkUse& b) {
        return a.link < b.link || (a.link == b.link && a.consumption > b.consumption);
    });
    const auto end = std::unique(
        up.begin(), up.end(), [](const LinkUse& a, const LinkUse& b) { return a.link == b.link; });
    for (auto use = up.begin(); use != end; ++use) {
        flow.links.push_back({use->link, use->consumption * consumption});
        flow.links.push_back({fabric::Graph::reverse(use->link), use->consumption * consumption});
    }
    flow.share = connections_;
}

}  // namespace sim::collective

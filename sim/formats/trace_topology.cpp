#include "formats/trace_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace sim::formats
{

namespace
{

void turn_round(const TraceRank& rank, RankTopology& topology)
{
    const auto count = rank.nodes.size();
    topology.first.assign(count + 1, 0);
    for (const auto before : rank.dependences) {
        ++topology.first[before + 1];
    }
    for (std::size_t i = 0; i < count; ++i) {
        topology.first[i + 1] += topology.first[i];
    }
    topology.all.resize(rank.dependences.size());
    auto next = topology.first;
    for (std::uint32_t node = 0; node < count; ++node) {
        const auto& each = rank.nodes[node];
        for (std::uint32_t i = 0; i < each.dependences; ++i) {
            topology.all[next[rank.dependences[each.first_dependence + i]]++] = node;
        }
    }
}

/// Follows what waits among what never got free: sooner or later a node comes again.
std::string describe_cycle(const Trace& trace, std::uint32_t rank,
                           const std::vector<std::uint32_t>& waits)
{
    const auto& nodes = trace.ranks[rank].nodes;
    const auto& dependences = trace.ranks[rank].dependences;
    auto at = static_cast<std::uint32_t>(
        std::find_if(waits.begin(), waits.end(), [](auto left) { return left > 0; }) -
        waits.begin());
    std::vector<std::uint32_t> path;
    std::vector<bool> seen(nodes.size());
    while (!seen[at]) {
        seen[at] = true;
        path.push_back(at);
        const auto* begin = dependences.data() + nodes[at].first_dependence;
        at = *std::find_if(begin, begin + nodes[at].dependences,
                           [&](std::uint32_t before) { return waits[before] > 0; });
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    constexpr std::size_t kNamed = 8;
    std::string words;
    for (std::size_t i = 0; i < std::min(path.size(), kNamed); ++i) {
        words += fmt::format("{} \"{}\" waits for ", nodes[path[i]].id,
                             trace.labels[nodes[path[i]].label]);
    }
    return words + (path.size() > kNamed ? "..." : fmt::format("{}", nodes[at].id));
}

}  // namespace

RankTopology sort_rank(const Trace& trace, std::uint32_t rank)
{
    const auto& recorded = trace.ranks[rank];
    RankTopology topology;
    turn_round(recorded, topology);
    std::vector<std::uint32_t> waits;
    using Free = std::pair<std::uint64_t, std::uint32_t>;
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    for (std::uint32_t node = 0; node < recorded.nodes.size(); ++node) {
        waits.push_back(recorded.nodes[node].dependences);
        if (waits.back() == 0) {
            free.push({recorded.nodes[node].id, node});
        }
    }
    topology.place.resize(recorded.nodes.size());
    while (!free.empty()) {
        const auto node = free.top().second;
        free.pop();
        topology.place[node] = static_cast<std::uint32_t>(topology.order.size());
        topology.order.push_back(node);
        for (const auto waiting : topology.dependents(node)) {
            if (--waits[waiting] == 0) {
                free.push({recorded.nodes[waiting].id, waiting});
            }
        }
    }
    if (topology.order.size() != recorded.nodes.size()) {
        throw InputError{{about_rank(
            trace, rank,
            "its dependences form a cycle: node " + describe_cycle(trace, rank, waits))}};
    }
    return topology;
}

}  // namespace sim::formats

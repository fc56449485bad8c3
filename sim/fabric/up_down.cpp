#include "fabric/up_down.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/contract.hpp"

namespace sim::fabric
{
namespace
{

/// Breadth first, as far as `may_enter` lets; distances of what was reached.
template <class MayEnter>
std::vector<std::uint32_t> search(const Graph& graph, VertexId from, MayEnter may_enter)
{
    std::vector<std::uint32_t> distance(graph.vertices().size(), kUnreachable);
    std::vector<VertexId> queue{from};
    distance[from.index()] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const auto id : graph.out_links(queue[i])) {
            const auto& link = graph.links()[id.index()];
            if (distance[link.to.index()] == kUnreachable && may_enter(link)) {
                distance[link.to.index()] = distance[queue[i].index()] + 1;
                queue.push_back(link.to);
            }
        }
    }
    return distance;
}

VertexId farthest(const std::vector<std::uint32_t>& distance)
{
    std::size_t found = 0;
    for (std::size_t v = 0; v < distance.size(); ++v) {
        const bool farther = distance[v] != kUnreachable && distance[v] > distance[found];
        found = farther || distance[found] == kUnreachable ? v : found;
    }
    return VertexId{found};
}

}  // namespace

UpDown::UpDown(const SwitchNetwork& network)
    : network_{network}, rank_(network.graph().vertices().size())
{
    const auto& vertices = network_.graph().vertices();
    const bool tiered = std::any_of(vertices.begin(), vertices.end(), [](const Vertex& vertex) {
        return vertex.kind != VertexKind::leaf;
    });
    if (tiered) {
        rank_by_tier();
    } else if (!vertices.empty()) {
        rank_from_middle();
    }
    lowest_ = rank_.empty() ? 0 : *std::max_element(rank_.begin(), rank_.end());
    count_widths();
}

void UpDown::rank_by_tier()
{
    const auto& vertices = network_.graph().vertices();
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        rank_[v] = vertices[v].kind == VertexKind::core    ? 0
                   : vertices[v].kind == VertexKind::spine ? 1
                                                           : 2;
    }
}

/// Without tiers the root is in the middle of a longest of the shortest paths, found by two
/// searches.
void UpDown::rank_from_middle()
{
    const auto& graph = network_.graph();
    const auto everywhere = [](const Link&) { return true; };
    const auto one_end = farthest(search(graph, VertexId{0}, everywhere));
    const auto from_one = search(graph, one_end, everywhere);
    const auto other_end = farthest(from_one);
    const auto from_other = search(graph, other_end, everywhere);
    const auto length = from_one[other_end.index()];
    std::size_t root = 0;
    for (std::size_t v = from_one.size(); v-- > 0;) {
        const bool between = from_one[v] == length / 2 && from_other[v] == length - length / 2;
        root = between ? v : root;
    }
    rank_ = search(graph, VertexId{root}, everywhere);
    // What the root does not reach has ways of its own, by number.
    std::replace(rank_.begin(), rank_.end(), kUnreachable, std::uint32_t{0});
}

/// How many links up a switch of each height has at most.
void UpDown::count_widths()
{
    const auto& graph = network_.graph();
    std::vector<std::uint64_t> width(lowest_ + 1, 1);
    for (std::size_t v = 0; v < rank_.size(); ++v) {
        const auto links = graph.out_links(VertexId{v});
        const auto up = std::count_if(links.begin(), links.end(),
                                      [&](LinkId id) { return is_up(graph.links()[id.index()]); });
        auto& most = width[lowest_ - rank_[v]];
        most = std::max(most, static_cast<std::uint64_t>(up));
    }
    period_.assign(1, 1);
    for (const auto links : width) {
        constexpr std::uint64_t kNoNumberIsThisLarge = std::uint64_t{1} << 32U;
        period_.push_back(std::min(period_.back() * links, kNoNumberIsThisLarge));
    }
}

bool UpDown::is_up(const Link& link) const
{
    return std::tuple{rank_[link.to.index()], link.to} <
           std::tuple{rank_[link.from.index()], link.from};
}

UpDown::Tables UpDown::tables(VertexId target) const
{
    const auto& graph = network_.graph();
    Tables tables;
    // Against the traffic: a link that is entered upwards here is gone down there.
    tables.down = search(graph, target, [&](const Link& link) { return is_up(link); });
    tables.any = tables.down;
    std::vector<std::size_t> from_the_roots(rank_.size());
    std::iota(from_the_roots.begin(), from_the_roots.end(), 0);
    std::stable_sort(from_the_roots.begin(), from_the_roots.end(),
                     [&](std::size_t a, std::size_t b) { return rank_[a] < rank_[b]; });
    for (const auto v : from_the_roots) {
        if (tables.down[v] != kUnreachable) {
            continue;
        }
        for (const auto id : graph.out_links(VertexId{v})) {
            const auto& link = graph.links()[id.index()];
            const auto beyond = tables.any[link.to.index()];
            if (is_up(link) && beyond != kUnreachable) {
                tables.any[v] = std::min(tables.any[v], beyond + 1);
            }
        }
    }
    return tables;
}

std::vector<LinkId> UpDown::candidates(VertexId at, const Tables& tables) const
{
    const auto& graph = network_.graph();
    const bool down = tables.down[at.index()] != kUnreachable;
    const auto& left = down ? tables.down : tables.any;
    auto links = graph.out_links(at);
    std::erase_if(links, [&](LinkId id) {
        const auto& link = graph.links()[id.index()];
        return is_up(link) == down || left[link.to.index()] != left[at.index()] - 1;
    });
    return links;
}

std::optional<std::vector<LinkId>> UpDown::path(VertexId from, VertexId to, std::uint64_t number)
{
    const auto& graph = network_.graph();
    const auto target = network_.own(to);
    auto known = tables_.find(target);
    if (known == tables_.end()) {
        known = tables_.emplace(target, tables(target)).first;
    }
    auto at = network_.own(from);
    if (known->second.any[at.index()] == kUnreachable) {
        return std::nullopt;
    }
    std::vector<LinkId> path;
    while (at != target) {
        const auto links = candidates(at, known->second);
        SIM_EXPECT(!links.empty());
        const auto below =
            std::max(rank_[at.index()], rank_[graph.links()[links.front().index()].to.index()]);
        const auto digit = number / period_[lowest_ - below] % links.size();
        const auto id = links[static_cast<std::size_t>(digit)];
        path.push_back(network_.machine_link(id));
        at = graph.links()[id.index()].to;
    }
    return path;
}

}  // namespace sim::fabric

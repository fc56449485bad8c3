#include "fabric/dimension_order.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "fabric/torus.hpp"

namespace sim::fabric
{
namespace
{

void append(Route& route, const Route& more)
{
    route.hops.insert(route.hops.end(), more.hops.begin(), more.hops.end());
    route.latency += more.latency;
}

/// Ways that are taken side by side; a link of two of them is one hop.
Route beside(const std::vector<Route>& ways)
{
    std::map<LinkId, double> carried;
    Route joined;
    for (const auto& way : ways) {
        for (const auto& hop : way.hops) {
            carried[hop.link] += hop.fraction;
        }
        joined.latency = std::max(joined.latency, way.latency);
    }
    for (const auto& [link, fraction] : carried) {
        joined.hops.push_back({link, fraction});
    }
    return joined;
}

}  // namespace

std::optional<Route> DimensionOrder::route(VertexId from, VertexId to) const
{
    // The switches of a torus are numbered as torus.cpp adds them.
    std::size_t at = network_.own(from).index();
    const auto target = torus_coordinates(torus_.sides, network_.own(to).index());
    Route route;
    for (std::size_t side = 0; side < torus_.sides.size(); ++side) {
        const auto part = along(side, at, target[side]);
        if (!part) {
            return std::nullopt;
        }
        append(route, *part);
    }
    return route;
}

std::optional<Route> DimensionOrder::along(std::size_t side, std::size_t& at, int target) const
{
    auto here = torus_coordinates(torus_.sides, at);
    const int ahead = target - here[side];
    if (ahead == 0) {
        return Route{};
    }
    // Steps forward (positive) or back, the shorter first.
    std::vector<int> ways{ahead};
    const int length = torus_.sides[side];
    if (torus_wraps(torus_, side) && length > 2) {
        ways.push_back(ahead > 0 ? ahead - length : ahead + length);
        std::stable_sort(ways.begin(), ways.end(),
                         [](int a, int b) { return std::abs(a) < std::abs(b); });
    }
    const bool tie = ways.size() == 2 && std::abs(ways[0]) == std::abs(ways[1]);
    std::vector<Route> taken;
    for (const int steps : ways) {
        if (auto way = go(side, at, steps)) {
            taken.push_back(std::move(*way));
        }
        if (!tie && !taken.empty()) {
            break;
        }
    }
    here[side] = target;
    at = torus_index(torus_.sides, here);
    if (taken.empty()) {
        return std::nullopt;
    }
    for (auto& way : taken) {
        for (auto& hop : way.hops) {
            hop.fraction /= static_cast<double>(taken.size());
        }
    }
    return beside(taken);
}

std::optional<Route> DimensionOrder::go(std::size_t side, std::size_t at, int steps) const
{
    const auto& graph = network_.graph();
    const int length = torus_.sides[side];
    Route route;
    auto here = torus_coordinates(torus_.sides, at);
    for (int step = 0; step < std::abs(steps); ++step) {
        here[side] = (here[side] + (steps > 0 ? 1 : length - 1)) % length;
        const VertexId next{torus_index(torus_.sides, here)};
        auto links = graph.out_links(VertexId{at});
        std::erase_if(links, [&](LinkId id) { return graph.links()[id.index()].to != next; });
        Bandwidth total;
        Time latency;
        for (const auto id : links) {
            total += graph.links()[id.index()].bandwidth;
            latency = std::max(latency, graph.links()[id.index()].latency);
        }
        if (links.empty()) {
            return std::nullopt;
        }
        for (const auto id : links) {
            route.hops.push_back(
                {network_.machine_link(id), graph.links()[id.index()].bandwidth / total});
        }
        route.latency += latency;
        at = next.index();
    }
    return route;
}

}  // namespace sim::fabric

#include "fabric/group_ways.hpp"

#include <algorithm>

namespace sim::fabric
{
namespace
{

/// Parts of routes add up link by link.
class Sum
{
public:
    void add(const Route& route, double share)
    {
        for (const auto& hop : route.hops) {
            carried_[hop.link] += hop.fraction * share;
        }
    }
    void add(LinkId link, double share) { carried_[link] += share; }
    void reaches(Time latency) { latest_ = std::max(latest_, latency); }

    [[nodiscard]] Route route(double whole) const
    {
        Route route;
        for (const auto& [link, sum] : carried_) {
            route.hops.push_back({link, sum / whole});
        }
        route.latency = latest_;
        return route;
    }

private:
    std::map<LinkId, double> carried_;
    Time latest_;
};

std::optional<Route> copy(const Route* route)
{
    return route == nullptr ? std::nullopt : std::optional{*route};
}

}  // namespace

/// The switches of a dragonfly are numbered group by group.
GroupWays::GroupWays(SwitchNetwork& network, const spec::DragonflySpec& dragonfly)
    : network_{network},
      group_size_{static_cast<std::size_t>(dragonfly.switches_per_group)},
      groups_{network.graph().vertices().size() / group_size_}
{
    const auto& links = network_.graph().links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        const auto from = links[i].from.index() / group_size_;
        const auto to = links[i].to.index() / group_size_;
        if (from != to) {
            cables_[{from, to}].emplace_back(i);
            own_.emplace(network_.machine_link(LinkId{i}), LinkId{i});
        }
    }
}

std::size_t GroupWays::group_of(VertexId machine) const
{
    return network_.own(machine).index() / group_size_;
}

std::vector<std::size_t> GroupWays::groups_between(VertexId from, VertexId to) const
{
    std::vector<std::size_t> groups;
    for (std::size_t group = 0; group < groups_ && group_of(from) != group_of(to); ++group) {
        if (group != group_of(from) && group != group_of(to)) {
            groups.push_back(group);
        }
    }
    return groups;
}

GroupWays::Path GroupWays::gates(VertexId from, std::size_t group, std::optional<VertexId> to) const
{
    const auto known = cables_.find({group_of(from), group});
    Path nearest;
    if (known == cables_.end()) {
        return nearest;
    }
    int least = 3;  // more than a local cable at either end
    for (const auto id : known->second) {
        const auto& cable = network_.graph().links()[id.index()];
        const int away = (cable.from == network_.own(from) ? 0 : 1) +
                         (!to || cable.to == network_.own(*to) ? 0 : 1);
        if (away < least) {
            least = away;
            nearest.clear();
        }
        if (away == least) {
            nearest.push_back(network_.machine_link(id));
        }
    }
    return nearest;
}

std::vector<VertexId> GroupWays::ends(const Path& gates) const
{
    std::vector<VertexId> ends;
    for (const auto gate : gates) {
        const auto end =
            network_.machine_vertex(network_.graph().links()[own_.at(gate).index()].to);
        if (std::find(ends.begin(), ends.end(), end) == ends.end()) {
            ends.push_back(end);
        }
    }
    return ends;
}

std::optional<Route> GroupWays::minimal(VertexId from, VertexId to)
{
    const auto into = group_of(from) == group_of(to) ? Path{} : gates(from, group_of(to), to);
    if (into.empty()) {
        return copy(network_.spread(from, to));
    }
    Sum sum;
    double whole = 0;
    for (const auto gate : into) {
        const auto& cable = network_.graph().links()[own_.at(gate).index()];
        const auto* out = network_.spread(from, network_.machine_vertex(cable.from));
        const auto* on = network_.spread(network_.machine_vertex(cable.to), to);
        if (out == nullptr || on == nullptr) {
            continue;
        }
        const double rate = cable.bandwidth / Bandwidth::of(1);
        sum.add(*out, rate);
        sum.add(gate, rate);
        sum.add(*on, rate);
        sum.reaches(out->latency + cable.latency + on->latency);
        whole += rate;
    }
    return whole > 0 ? sum.route(whole) : copy(network_.spread(from, to));
}

std::optional<Route> GroupWays::valiant(VertexId from, VertexId to)
{
    Sum sum;
    double ways = 0;
    for (const auto group : groups_between(from, to)) {
        const auto through = ends(gates(from, group, std::nullopt));
        ways += through.empty() ? 0 : 1;
        for (const auto entry : through) {
            const auto out = minimal(from, entry);
            const auto on = minimal(entry, to);
            if (!out || !on) {
                return minimal(from, to);
            }
            sum.add(*out, 1.0 / static_cast<double>(through.size()));
            sum.add(*on, 1.0 / static_cast<double>(through.size()));
            sum.reaches(out->latency + on->latency);
        }
    }
    return ways > 0 ? sum.route(ways) : minimal(from, to);
}

std::optional<GroupWays::Path> GroupWays::path(VertexId from, VertexId to,
                                               const SwitchNetwork::Choose& choose_link)
{
    const auto into = group_of(from) == group_of(to) ? Path{} : gates(from, group_of(to), to);
    if (into.empty()) {
        return network_.walk(from, to, choose_link);
    }
    const auto gate = choose_link(network_.own(from), into);
    const auto& cable = network_.graph().links()[own_.at(gate).index()];
    auto path = network_.walk(from, network_.machine_vertex(cable.from), choose_link);
    const auto on = network_.walk(network_.machine_vertex(cable.to), to, choose_link);
    if (!path || !on) {
        return network_.walk(from, to, choose_link);
    }
    path->push_back(gate);
    path->insert(path->end(), on->begin(), on->end());
    return path;
}

std::vector<VertexId> GroupWays::entries(VertexId from, VertexId to, std::uint64_t hash)
{
    const auto groups = groups_between(from, to);
    return groups.empty() ? std::vector<VertexId>{}
                          : ends(gates(from, groups[choose(hash, groups.size())], std::nullopt));
}

}  // namespace sim::fabric

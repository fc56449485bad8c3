#include "fabric/switch_network.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "core/random.hpp"

namespace sim::fabric
{
namespace
{

const VertexId kNotASwitch{kUnreachable};

}  // namespace

std::size_t choose(std::uint64_t hash, std::size_t count)
{
    return static_cast<std::size_t>(((hash >> 32U) * count) >> 32U);
}

SwitchNetwork::SwitchNetwork(const Graph& machine, const std::vector<char>& dead)
{
    const auto& vertices = machine.vertices();
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const bool passes = is_switch(vertices[v].kind);
        own_vertex_.push_back(passes ? switches_.add_vertex(vertices[v]) : kNotASwitch);
        if (passes) {
            machine_vertex_.emplace_back(v);
        }
    }
    const auto& links = machine.links();
    for (std::size_t i = 0; i < links.size(); i += 2) {
        Link link = links[i];
        link.from = own_vertex_[link.from.index()];
        link.to = own_vertex_[link.to.index()];
        // A cable of which one direction is dead is out of use: routing knows cables.
        const bool alive = dead.empty() || (dead[i] == 0 && dead[i + 1] == 0);
        if (alive && link.from != kNotASwitch && link.to != kNotASwitch) {
            switches_.add_duplex(link, links[i + 1].latency);
            machine_link_.emplace_back(i);
            machine_link_.emplace_back(i + 1);
        }
    }
    distances_.resize(switches_.vertices().size());
}

VertexId SwitchNetwork::own(VertexId machine) const
{
    const auto vertex = own_vertex_[machine.index()];
    SIM_EXPECT(vertex != kNotASwitch);
    return vertex;
}

const SwitchNetwork::Distances& SwitchNetwork::distances(VertexId target)
{
    auto& known = distances_[target.index()];
    if (known.empty()) {
        known = switches_.distances_to(target);
    }
    return known;
}

std::vector<LinkId> SwitchNetwork::next_links(VertexId at, VertexId target,
                                              const Distances& distance) const
{
    const bool last = distance[at.index()] == 1;
    // A spine has a link to every leaf, a leaf few: the last hop is found from its far end.
    auto links = switches_.out_links(last ? target : at);
    const auto nearer = distance[at.index()] - 1;
    std::erase_if(links, [&](LinkId id) {
        const auto to = switches_.links()[id.index()].to;
        return last ? to != at : distance[to.index()] != nearer;
    });
    if (last) {
        std::transform(links.begin(), links.end(), links.begin(), Graph::reverse);
    }
    return links;
}

std::uint32_t SwitchNetwork::hops(VertexId from, VertexId to)
{
    const auto source = own(from);
    return source == own(to) ? 0 : distances(own(to))[source.index()];
}

const Route* SwitchNetwork::spread(VertexId from, VertexId to)
{
    const auto source = own(from);
    const auto target = own(to);
    const auto key = (std::uint64_t{source.index()} << 32U) | target.index();
    auto known = spreads_.find(key);
    if (known == spreads_.end()) {
        known = spreads_.emplace(key, compute_spread(source, target)).first;
    }
    return known->second ? &*known->second : nullptr;
}

std::optional<Route> SwitchNetwork::compute_spread(VertexId source, VertexId target) const
{
    const auto distance = switches_.distances_to(target, source);
    if (distance[source.index()] == kUnreachable) {
        return std::nullopt;
    }
    Route route;
    std::vector<double> arriving(distance.size(), 0.0);
    std::vector<Time> latest(distance.size());
    arriving[source.index()] = 1;
    // All vertices of a level are equally far from the target, so each is whole when it is split.
    for (std::vector<VertexId> level{source}; level.front() != target;) {
        std::vector<VertexId> next_level;
        for (const auto at : level) {
            const auto next = next_links(at, target, distance);
            Bandwidth total;
            for (const auto id : next) {
                total += switches_.links()[id.index()].bandwidth;
            }
            for (const auto id : next) {
                const auto& link = switches_.links()[id.index()];
                const auto to = link.to.index();
                const double part = arriving[at.index()] * (link.bandwidth / total);
                if (arriving[to] == 0) {
                    next_level.push_back(link.to);
                }
                arriving[to] += part;
                latest[to] = std::max(latest[to], latest[at.index()] + link.latency);
                route.hops.push_back({machine_link_[id.index()], part});
            }
        }
        level = std::move(next_level);
    }
    route.latency = latest[target.index()];
    return route;
}

std::optional<std::vector<LinkId>> SwitchNetwork::walk(VertexId from, VertexId to,
                                                       std::uint64_t hash)
{
    // Every switch hashes with a key of its own: equal keys would send what met at one switch the
    // same way at the next.
    return walk(from, to, [hash](VertexId at, const std::vector<LinkId>& links) {
        return links[choose(mix(hash, at.index()), links.size())];
    });
}

std::optional<std::vector<LinkId>> SwitchNetwork::walk(VertexId from, VertexId to,
                                                       const Choose& choose_link)
{
    const auto target = own(to);
    const auto& distance = distances(target);
    if (distance[own(from).index()] == kUnreachable) {
        return std::nullopt;
    }
    std::vector<LinkId> path;
    std::vector<LinkId> machine;
    for (auto at = own(from); at != target;) {
        const auto next = next_links(at, target, distance);
        machine.clear();
        for (const auto id : next) {
            machine.push_back(machine_link_[id.index()]);
        }
        path.push_back(choose_link(at, machine));
        const auto taken = std::find(machine.begin(), machine.end(), path.back());
        SIM_EXPECT(taken != machine.end());
        at = switches_.links()[next[static_cast<std::size_t>(taken - machine.begin())].index()].to;
    }
    return path;
}

}  // namespace sim::fabric

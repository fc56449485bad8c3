#include "fabric/torus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

const spec::TorusSpec& spec_of(const spec::ClusterSpec& cluster)
{
    return std::get<spec::TorusSpec>(cluster.fabric.network);
}

std::int64_t switches_of(const spec::TorusSpec& spec)
{
    std::int64_t product = 1;
    for (const int side : spec.sides) {
        product *= side;
    }
    return product;
}

Bandwidth link_rate(const spec::ClusterSpec& cluster)
{
    return spec_of(cluster).link.value_or(cluster.node.nic.bandwidth);
}

/// Ports of the switch with most neighbours.
int ports_used(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    int links = 0;
    for (std::size_t side = 0; side < spec.sides.size(); ++side) {
        const bool middle = spec.sides[side] > 2 || torus_wraps(spec, side);
        links += spec.sides[side] == 1 ? 0 : middle ? 2 : 1;
    }
    return spec.nodes_per_switch * cluster.node.nics + links * spec.parallel;
}

void check(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    Diagnostics diagnostics;
    const auto places = switches_of(spec) * spec.nodes_per_switch;
    if (places != cluster.nodes) {
        complain(diagnostics, "sides",
                 fmt::format("have places for {} nodes ({} switches of {}), but there are {}",
                             places, switches_of(spec), spec.nodes_per_switch, cluster.nodes),
                 "choose nodes, sides and nodes_per_switch so that they agree");
    }
    const int wanted = ports_used(cluster);
    const int most =
        ports_of(spec.device, std::min(link_rate(cluster), cluster.node.nic.bandwidth));
    if (wanted > most) {
        complain(diagnostics, "switch",
                 fmt::format("a switch needs {} ports, but \"{}\" has {}", wanted, spec.device.name,
                             most),
                 "use fewer sides, fewer parallel cables, or a larger switch");
    }
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
}

}  // namespace

bool torus_wraps(const spec::TorusSpec& spec, std::size_t side)
{
    return spec.sides[side] > 1 && (spec.wrap.empty() || spec.wrap[side]);
}

std::vector<int> torus_coordinates(const std::vector<int>& sides, std::size_t index)
{
    std::vector<int> at(sides.size());
    for (std::size_t side = sides.size(); side-- > 0;) {
        const auto length = static_cast<std::size_t>(sides[side]);
        at[side] = static_cast<int>(index % length);
        index /= length;
    }
    return at;
}

std::size_t torus_index(const std::vector<int>& sides, const std::vector<int>& at)
{
    std::size_t index = 0;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        index = index * static_cast<std::size_t>(sides[side]) + static_cast<std::size_t>(at[side]);
    }
    return index;
}

void add_torus(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    check(cluster);
    const auto& spec = spec_of(cluster);
    std::vector<VertexId> switches;
    for (std::size_t i = 0; i < static_cast<std::size_t>(switches_of(spec)); ++i) {
        const auto name = fmt::format("switch{}", fmt::join(torus_coordinates(spec.sides, i), "-"));
        switches.push_back(add_switch(fabric, VertexKind::leaf, name, spec.device));
    }
    const auto nics_of_switch = static_cast<std::size_t>(spec.nodes_per_switch) *
                                static_cast<std::size_t>(cluster.node.nics);
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        attach_nic(fabric, cluster, fabric.nics[nic], switches[nic / nics_of_switch], spec.device);
    }
    for (std::size_t i = 0; i < switches.size(); ++i) {
        for (std::size_t side = 0; side < spec.sides.size(); ++side) {
            auto next = torus_coordinates(spec.sides, i);
            const bool last = ++next[side] == spec.sides[side];
            if (last && !torus_wraps(spec, side)) {
                continue;
            }
            next[side] %= spec.sides[side];
            join_switches(fabric, cluster,
                          {.from = switches[i],
                           .to = switches[torus_index(spec.sides, next)],
                           .kind = LinkKind::peer,
                           .rate = link_rate(cluster),
                           .cables = spec.parallel,
                           .from_latency = spec.device.latency,
                           .to_latency = spec.device.latency});
        }
    }
}

std::optional<Bandwidth> torus_bisection(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto& nic = cluster.node.nic;
    const auto switches = switches_of(spec);
    const auto of_nodes = [&](std::int64_t nodes) {
        return nic.bandwidth * nic.efficiency * static_cast<double>(nodes * cluster.node.nics);
    };
    std::optional<Bandwidth> least;
    for (std::size_t side = 0; side < spec.sides.size(); ++side) {
        const auto length = spec.sides[side];
        if (length == 1) {
            continue;
        }
        const auto plane = switches / length;
        const auto cables = plane * spec.parallel * (torus_wraps(spec, side) ? 2 : 1);
        const auto cut = link_rate(cluster) * nic.efficiency * static_cast<double>(cables);
        const auto smaller = of_nodes(length / 2 * plane * spec.nodes_per_switch);
        least = std::min(least.value_or(smaller), std::min(cut, smaller));
    }
    return least ? least : half_of_the_nics(cluster);
}

}  // namespace sim::fabric

#include "fabric/dragonfly.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

/// The numbers that a description leaves open.
struct Shape {
    int groups = 0;
    int links_per_pair = 0;
    Bandwidth local{};
    Bandwidth global{};
};

const spec::DragonflySpec& spec_of(const spec::ClusterSpec& cluster)
{
    return std::get<spec::DragonflySpec>(cluster.fabric.network);
}

Shape shape_of(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const int ports = spec.switches_per_group * spec.global_ports;
    Shape shape;
    shape.groups = spec.groups.value_or(ports + 1);
    const int pairs = shape.groups - 1;
    shape.links_per_pair = spec.links_per_pair.value_or(pairs > 0 ? ports / pairs : 0);
    shape.local = spec.local_link.value_or(cluster.node.nic.bandwidth);
    shape.global = spec.global_link.value_or(cluster.node.nic.bandwidth);
    return shape;
}

void check(const spec::ClusterSpec& cluster, const Shape& shape)
{
    const auto& spec = spec_of(cluster);
    Diagnostics diagnostics;
    const auto places =
        static_cast<std::int64_t>(shape.groups) * spec.switches_per_group * spec.nodes_per_switch;
    if (places < cluster.nodes) {
        complain(diagnostics, "groups",
                 fmt::format("{} groups of {} switches have places for {} nodes, but there are {}",
                             shape.groups, spec.switches_per_group, places, cluster.nodes),
                 "use more or larger groups");
    }
    const int ports = spec.switches_per_group * spec.global_ports;
    const int wanted = std::max(shape.links_per_pair, 1) * (shape.groups - 1);
    if (wanted > ports) {
        complain(diagnostics, "global_ports",
                 fmt::format("a group has {} global ports, but {} to each of {} others need {}",
                             ports, std::max(shape.links_per_pair, 1), shape.groups - 1, wanted),
                 "use fewer groups, fewer links_per_pair, or more global ports");
    }
    const int used =
        spec.nodes_per_switch * cluster.node.nics + spec.switches_per_group - 1 + spec.global_ports;
    const int most =
        ports_of(spec.device, std::min({shape.local, shape.global, cluster.node.nic.bandwidth}));
    if (used > most) {
        complain(
            diagnostics, "switch",
            fmt::format("a switch needs {} ports, but \"{}\" has {}", used, spec.device.name, most),
            "use smaller groups, fewer nodes a switch, or a larger switch");
    }
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
}

/// The switch of `group` that has its cable number `copy` to `other`. A group counts its global
/// ports over the groups that follow it, cyclically, so that all groups are wired alike.
std::size_t gate(const spec::DragonflySpec& spec, const Shape& shape, int group, int other,
                 int copy)
{
    const int ahead = (other - group - 1 + shape.groups) % shape.groups;
    const int port = ahead * shape.links_per_pair + copy;
    return static_cast<std::size_t>(group * spec.switches_per_group + port / spec.global_ports);
}

void add_cables(Fabric& fabric, const spec::ClusterSpec& cluster,
                const std::vector<VertexId>& switches)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    Bundle bundle{.from = {},
                  .to = {},
                  .kind = LinkKind::peer,
                  .rate = shape.local,
                  .cables = 1,
                  .from_latency = spec.device.latency,
                  .to_latency = spec.device.latency};
    const auto of_group = static_cast<std::size_t>(spec.switches_per_group);
    for (std::size_t a = 0; a < switches.size(); ++a) {
        for (std::size_t b = a + 1; b < switches.size() && b / of_group == a / of_group; ++b) {
            bundle.from = switches[a];
            bundle.to = switches[b];
            join_switches(fabric, cluster, bundle);
        }
    }
    bundle.kind = LinkKind::global;
    bundle.rate = shape.global;
    for (int a = 0; a < shape.groups; ++a) {
        for (int b = a + 1; b < shape.groups; ++b) {
            for (int copy = 0; copy < shape.links_per_pair; ++copy) {
                bundle.from = switches[gate(spec, shape, a, b, copy)];
                bundle.to = switches[gate(spec, shape, b, a, copy)];
                join_switches(fabric, cluster, bundle);
            }
        }
    }
}

}  // namespace

void add_dragonfly(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    check(cluster, shape);
    std::vector<VertexId> switches;
    for (int group = 0; group < shape.groups; ++group) {
        for (int i = 0; i < spec.switches_per_group; ++i) {
            switches.push_back(add_switch(fabric, VertexKind::leaf,
                                          fmt::format("group{}/switch{}", group, i), spec.device));
        }
    }
    const auto nics_of_switch = static_cast<std::size_t>(spec.nodes_per_switch) *
                                static_cast<std::size_t>(cluster.node.nics);
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        attach_nic(fabric, cluster, fabric.nics[nic], switches[nic / nics_of_switch], spec.device);
    }
    add_cables(fabric, cluster, switches);
}

std::optional<Bandwidth> dragonfly_bisection(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    const int places = shape.groups * spec.switches_per_group * spec.nodes_per_switch;
    if (places != cluster.nodes || shape.groups % 2 != 0) {
        return std::nullopt;
    }
    const double half = shape.groups / 2;
    const auto cut =
        shape.global * cluster.node.nic.efficiency * (half * half * shape.links_per_pair);
    return std::min(cut, half_of_the_nics(cluster));
}

}  // namespace sim::fabric

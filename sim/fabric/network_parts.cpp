#include "fabric/network_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sim::fabric
{
namespace
{

constexpr double kRounding = 1e-9;

}  // namespace

VertexId add_switch(Fabric& fabric, VertexKind kind, std::string name,
                    const spec::SwitchSpec& model)
{
    auto& orders = fabric.switches;
    const auto known = std::find_if(orders.begin(), orders.end(), [&](const SwitchOrder& order) {
        return order.model.name == model.name;
    });
    if (known == orders.end()) {
        orders.push_back({model, 1});
    } else {
        ++known->count;
    }
    return fabric.graph.add_vertex({kind, std::move(name)});
}

void attach_nic(Fabric& fabric, const spec::ClusterSpec& cluster, VertexId nic, VertexId leaf,
                const spec::SwitchSpec& model, int ports)
{
    const auto& spec = cluster.node.nic;
    const auto cable = cable_time(cluster.fabric, LinkKind::nic);
    fabric.graph.add_duplex({.from = nic,
                             .to = leaf,
                             .kind = LinkKind::nic,
                             .bandwidth = spec.bandwidth * spec.efficiency / ports,
                             .latency = spec.latency + cable + model.latency,
                             .name = {}},
                            cable);
}

Time cable_time(const spec::FabricSpec& fabric, LinkKind kind)
{
    const auto& times = fabric.cable_times;
    const auto& own = kind == LinkKind::nic          ? times.nic
                      : kind == LinkKind::leaf_spine ? times.leaf_spine
                      : kind == LinkKind::spine_core ? times.spine_core
                      : kind == LinkKind::global     ? times.global
                                                     : times.peer;
    return own.value_or(fabric.cable_latency);
}

void join_switches(Fabric& fabric, const spec::ClusterSpec& cluster, const Bundle& bundle)
{
    const bool apart = spec::takes_single_paths(cluster.fabric.routing) || !cluster.outages.empty();
    const int links = apart ? bundle.cables : 1;
    const int cables = bundle.cables / links;
    const auto cable = bundle.cable_latency.value_or(cable_time(cluster.fabric, bundle.kind));
    const Link link{.from = bundle.from,
                    .to = bundle.to,
                    .kind = bundle.kind,
                    .bandwidth = bundle.rate * cluster.node.nic.efficiency * cables,
                    .latency = cable + bundle.to_latency,
                    .name = {},
                    .cables = static_cast<std::uint32_t>(cables)};
    for (int i = 0; i < links; ++i) {
        fabric.graph.add_duplex(link, cable + bundle.from_latency);
    }
}

int ports_of(const spec::SwitchSpec& model, Bandwidth rate)
{
    const double by_capacity = std::floor(model.capacity / rate * (1 + kRounding));
    return static_cast<int>(std::min<double>(model.max_ports, by_capacity));
}

void complain(Diagnostics& diagnostics, const std::string& key, std::string message,
              std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.key = "cluster.fabric." + key;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostics.push_back(std::move(diagnostic));
}

Bandwidth half_of_the_nics(const spec::ClusterSpec& cluster)
{
    const auto& nic = cluster.node.nic;
    return nic.bandwidth * nic.efficiency * (cluster.nodes / 2 * cluster.node.nics);
}

int whole_or_none(double exact)
{
    const double whole = std::round(exact);
    return whole >= 1 && std::abs(exact - whole) <= kRounding * whole ? static_cast<int>(whole) : 0;
}

}  // namespace sim::fabric

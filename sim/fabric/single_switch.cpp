#include "fabric/single_switch.hpp"

#include <fmt/format.h>

#include "core/quantity_text.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{

void add_single_switch(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto& model = std::get<spec::SingleSwitchSpec>(cluster.fabric.network).device;
    const auto ports = static_cast<std::size_t>(ports_of(model, cluster.node.nic.bandwidth));
    if (fabric.nics.size() > ports) {
        Diagnostics diagnostics;
        complain(
            diagnostics, "switch",
            fmt::format("{} NICs of {} need as many ports, but \"{}\" has {}", fabric.nics.size(),
                        to_bit_text(cluster.node.nic.bandwidth), model.name, ports),
            "use fewer nodes, a larger switch, or a leaf_spine");
        throw InputError{std::move(diagnostics)};
    }
    const auto hub = add_switch(fabric, VertexKind::leaf, "switch", model);
    for (const auto nic : fabric.nics) {
        attach_nic(fabric, cluster, nic, hub, model);
    }
}

std::optional<Bandwidth> single_switch_bisection(const spec::ClusterSpec& cluster)
{
    return half_of_the_nics(cluster);
}

}  // namespace sim::fabric

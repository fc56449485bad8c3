#include "fabric/fat_tree.hpp"

#include <fmt/format.h>

#include "core/quantity_text.hpp"
#include "fabric/clos.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

const spec::FatTreeSpec& spec_of(const spec::ClusterSpec& cluster)
{
    return std::get<spec::FatTreeSpec>(cluster.fabric.network);
}

/// Leaves of whole pods: a pod is as large as its spines allow.
int whole_pods(const spec::FatTreeSpec& spec, int leaves)
{
    const double share = spec.clos.spine_oversubscription / (1 + spec.clos.spine_oversubscription);
    const int pod =
        static_cast<int>(spec.radix * share * (1 + 1e-9)) / spec.clos.parallel.value_or(1);
    return spec.clos.tiers == 2 || pod < 1 || leaves <= pod ? leaves
                                                            : (leaves + pod - 1) / pod * pod;
}

ClosShape shape_of(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto port = cluster.node.nic.bandwidth;
    Diagnostics diagnostics;
    ClosShape shape;
    const int down = downlinks_of(spec.clos, spec.radix, port);
    if (down == 0) {
        complain(diagnostics, "radix",
                 fmt::format("{} ports cannot be parted {:g} : 1 into ports of {} down and {} up",
                             spec.radix, spec.clos.oversubscription, to_bit_text(port),
                             to_bit_text(spec.clos.uplink.value_or(port))),
                 "choose radix, oversubscription and uplink so that both are whole numbers");
    } else {
        const int nics = cluster.nodes * cluster.node.nics;
        const int leaves = whole_pods(spec, (nics + down - 1) / down);
        shape = plan_clos(spec.clos, {leaves, down, port, spec.radix}, diagnostics);
    }
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
    return shape;
}

}  // namespace

void add_fat_tree(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    const auto leaves = add_clos(fabric, cluster, spec.clos, shape, "");
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        attach_nic(fabric, cluster, fabric.nics[nic],
                   leaves[nic / static_cast<std::size_t>(shape.downlinks)], spec.clos.leaf);
    }
}

std::optional<Bandwidth> fat_tree_bisection(const spec::ClusterSpec& cluster)
{
    const auto shape = shape_of(cluster);
    if (cluster.nodes % 2 != 0) {
        return std::nullopt;
    }
    const bool full = cluster.nodes * cluster.node.nics == shape.leaves * shape.downlinks;
    if (!full && shape.leaves > 1) {
        return std::nullopt;
    }
    return clos_half(shape, half_of_the_nics(cluster), cluster.node.nic.efficiency);
}

}  // namespace sim::fabric

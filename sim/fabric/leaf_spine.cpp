#include "fabric/leaf_spine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

int whole_ratio_up(int a, int b) { return (a + b - 1) / b; }

const spec::LeafSpineSpec& spec_of(const spec::ClusterSpec& cluster)
{
    return std::get<spec::LeafSpineSpec>(cluster.fabric.network);
}

/// Uplinks of a leaf, or 0 with a diagnostic when they are not a whole number.
int count_uplinks(const spec::ClusterSpec& cluster, const LeafSpineCounts& counts,
                  Diagnostics& diagnostics)
{
    const auto& nic = cluster.node.nic.bandwidth;
    const double oversubscription = spec_of(cluster).oversubscription;
    const double exact = counts.downlinks * (nic / counts.uplink) / oversubscription;
    const int whole = whole_or_none(exact);
    if (whole == 0) {
        complain(
            diagnostics, "oversubscription",
            fmt::format("a leaf would need {:.6g} uplinks ({} downlinks of {} / {:g} / {} each), "
                        "which is not a whole number",
                        exact, counts.downlinks, to_bit_text(nic), oversubscription,
                        to_bit_text(counts.uplink)),
            "choose oversubscription, nodes_per_leaf or uplink so that it is");
    }
    return whole;
}

void check_leaf(const spec::ClusterSpec& cluster, const LeafSpineCounts& counts,
                Diagnostics& diagnostics)
{
    const auto& leaf = spec_of(cluster).leaf;
    const int ports = counts.downlinks + counts.uplinks;
    if (ports > leaf.max_ports) {
        complain(diagnostics, "leaf",
                 fmt::format("a leaf needs {} ports ({} down, {} up), but \"{}\" has {}", ports,
                             counts.downlinks, counts.uplinks, leaf.name, leaf.max_ports),
                 "put fewer nodes on a leaf, oversubscribe more, or use a larger switch");
    }
    const auto load =
        cluster.node.nic.bandwidth * counts.downlinks + counts.uplink * counts.uplinks;
    if (load.base() > leaf.capacity.base() * (1 + 1e-9)) {
        complain(diagnostics, "leaf",
                 fmt::format("the ports of a leaf carry {} ({} x {} down, {} x {} up), but \"{}\" "
                             "switches {}",
                             to_bit_text(load), counts.downlinks,
                             to_bit_text(cluster.node.nic.bandwidth), counts.uplinks,
                             to_bit_text(counts.uplink), leaf.name, to_bit_text(leaf.capacity)),
                 "put fewer nodes on a leaf, oversubscribe more, or use a larger switch");
    }
}

/// Fewest spines that take every leaf's uplinks in equal parts, or 0 when none do.
int fewest_spines(const LeafSpineCounts& counts, int ports)
{
    for (int spines = 1; spines <= counts.uplinks; ++spines) {
        if (counts.uplinks % spines == 0 && counts.leaves * (counts.uplinks / spines) <= ports) {
            return spines;
        }
    }
    return 0;
}

void check_given_spines(const spec::LeafSpineSpec& fabric, const LeafSpineCounts& counts, int ports,
                        Diagnostics& diagnostics)
{
    const int spines = *fabric.spines;
    const int fewest = fewest_spines(counts, ports);
    const auto hint = fewest > 0 ? fmt::format("write {}, or leave it out", fewest) : std::string{};
    if (counts.uplinks % spines != 0) {
        complain(diagnostics, "spines",
                 fmt::format("{} uplinks of a leaf do not divide over {} spines", counts.uplinks,
                             spines),
                 hint);
    } else if (counts.leaves * (counts.uplinks / spines) > ports) {
        complain(
            diagnostics, "spines",
            fmt::format("{} spine ports of {} ({} x {}) are fewer than the {} uplinks of {} leaves",
                        spines * ports, to_bit_text(counts.uplink), spines, ports,
                        counts.leaves * counts.uplinks, counts.leaves),
            hint);
    }
}

/// No spines given as 0 is left to the check that everything is connected.
int count_spines(const spec::LeafSpineSpec& fabric, const LeafSpineCounts& counts,
                 Diagnostics& diagnostics)
{
    const int ports = ports_of(fabric.spine, counts.uplink);
    if (fabric.spines) {
        if (*fabric.spines > 0) {
            check_given_spines(fabric, counts, ports, diagnostics);
        }
        return *fabric.spines;
    }
    const int spines = fewest_spines(counts, ports);
    if (spines == 0) {
        complain(diagnostics, "spine",
                 fmt::format("{} leaves need spines of at least {} ports of {}, but \"{}\" has {}",
                             counts.leaves, counts.leaves, to_bit_text(counts.uplink),
                             fabric.spine.name, ports),
                 "put more nodes on a leaf, or use a larger switch");
    }
    return spines;
}

}  // namespace

LeafSpineCounts leaf_spine_counts(const spec::ClusterSpec& cluster)
{
    const auto& fabric = spec_of(cluster);
    Diagnostics diagnostics;
    LeafSpineCounts counts;
    counts.leaves = whole_ratio_up(cluster.nodes, fabric.nodes_per_leaf);
    counts.downlinks = fabric.nodes_per_leaf * cluster.node.nics;
    counts.uplink = fabric.uplink.value_or(cluster.node.nic.bandwidth);
    if (counts.leaves > 1) {
        counts.uplinks = count_uplinks(cluster, counts, diagnostics);
    }
    check_leaf(cluster, counts, diagnostics);
    if (counts.uplinks > 0) {
        counts.spines = count_spines(fabric, counts, diagnostics);
        counts.cables_per_pair = counts.spines > 0 ? counts.uplinks / counts.spines : 0;
    }
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
    return counts;
}

void add_leaf_spine(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto counts = leaf_spine_counts(cluster);
    const auto& spec = spec_of(cluster);
    std::vector<VertexId> leaves;
    for (int leaf = 0; leaf < counts.leaves; ++leaf) {
        leaves.push_back(
            add_switch(fabric, VertexKind::leaf, "leaf" + std::to_string(leaf), spec.leaf));
    }
    const auto nics_per_leaf = static_cast<std::size_t>(counts.downlinks);
    for (std::size_t i = 0; i < fabric.nics.size(); ++i) {
        attach_nic(fabric, cluster, fabric.nics[i], leaves[i / nics_per_leaf], spec.leaf);
    }
    for (int spine = 0; spine < counts.spines; ++spine) {
        const auto to =
            add_switch(fabric, VertexKind::spine, "spine" + std::to_string(spine), spec.spine);
        for (const auto leaf : leaves) {
            join_switches(fabric, cluster,
                          {.from = leaf,
                           .to = to,
                           .kind = LinkKind::leaf_spine,
                           .rate = counts.uplink,
                           .cables = counts.cables_per_pair,
                           .from_latency = spec.leaf.latency,
                           .to_latency = spec.spine.latency});
        }
    }
}

std::optional<Bandwidth> leaf_spine_bisection(const spec::ClusterSpec& cluster)
{
    const auto counts = leaf_spine_counts(cluster);
    const bool halves = counts.leaves == 1 || counts.leaves % 2 == 0;
    if (cluster.nodes % 2 != 0 || !halves) {
        return std::nullopt;
    }
    const auto up = counts.uplink * cluster.node.nic.efficiency *
                    static_cast<double>(counts.leaves / 2 * counts.uplinks);
    const auto nics = half_of_the_nics(cluster);
    return counts.leaves == 1 ? nics : std::min(nics, up);
}

}  // namespace sim::fabric

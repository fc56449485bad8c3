#include "fabric/leaf_spine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"

namespace sim::fabric
{
namespace
{

int whole_ratio_up(int a, int b) { return (a + b - 1) / b; }

void error(Diagnostics& diagnostics, const char* key, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.key = std::string{"cluster.fabric."} + key;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostics.push_back(std::move(diagnostic));
}

/// Uplinks of a leaf, or 0 with a diagnostic when they are not a whole number.
int count_uplinks(const spec::ClusterSpec& cluster, const LeafSpineCounts& counts,
                  Diagnostics& diagnostics)
{
    const auto& nic = cluster.node.nic.bandwidth;
    const double exact = counts.downlinks * (nic / counts.uplink) / cluster.fabric.oversubscription;
    const double whole = std::round(exact);
    if (whole < 1 || std::abs(exact - whole) > 1e-9 * whole) {
        error(diagnostics, "oversubscription",
              fmt::format("a leaf would need {:.6g} uplinks ({} downlinks of {} / {:g} / {} each), "
                          "which is not a whole number",
                          exact, counts.downlinks, to_bit_text(nic),
                          cluster.fabric.oversubscription, to_bit_text(counts.uplink)),
              "choose oversubscription, nodes_per_leaf or uplink so that it is");
        return 0;
    }
    return static_cast<int>(whole);
}

void check_leaf(const spec::ClusterSpec& cluster, const LeafSpineCounts& counts,
                Diagnostics& diagnostics)
{
    const auto& leaf = cluster.fabric.leaf;
    const int ports = counts.downlinks + counts.uplinks;
    if (ports > leaf.max_ports) {
        error(diagnostics, "leaf",
              fmt::format("a leaf needs {} ports ({} down, {} up), but \"{}\" has {}", ports,
                          counts.downlinks, counts.uplinks, leaf.name, leaf.max_ports),
              "put fewer nodes on a leaf, oversubscribe more, or use a larger switch");
    }
    const auto load =
        cluster.node.nic.bandwidth * counts.downlinks + counts.uplink * counts.uplinks;
    if (load.base() > leaf.capacity.base() * (1 + 1e-9)) {
        error(diagnostics, "leaf",
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

void check_given_spines(const spec::FabricSpec& fabric, const LeafSpineCounts& counts, int ports,
                        Diagnostics& diagnostics)
{
    const int spines = *fabric.spines;
    const int fewest = fewest_spines(counts, ports);
    const auto hint = fewest > 0 ? fmt::format("write {}, or leave it out", fewest) : std::string{};
    if (counts.uplinks % spines != 0) {
        error(diagnostics, "spines",
              fmt::format("{} uplinks of a leaf do not divide over {} spines", counts.uplinks,
                          spines),
              hint);
    } else if (counts.leaves * (counts.uplinks / spines) > ports) {
        error(
            diagnostics, "spines",
            fmt::format("{} spine ports of {} ({} x {}) are fewer than the {} uplinks of {} leaves",
                        spines * ports, to_bit_text(counts.uplink), spines, ports,
                        counts.leaves * counts.uplinks, counts.leaves),
            hint);
    }
}

/// No spines given as 0 is left to the check that everything is connected.
int count_spines(const spec::FabricSpec& fabric, const LeafSpineCounts& counts,
                 Diagnostics& diagnostics)
{
    const double by_capacity = std::floor(fabric.spine.capacity / counts.uplink * (1 + 1e-9));
    const int ports = static_cast<int>(std::min<double>(fabric.spine.max_ports, by_capacity));
    if (fabric.spines) {
        if (*fabric.spines > 0) {
            check_given_spines(fabric, counts, ports, diagnostics);
        }
        return *fabric.spines;
    }
    const int spines = fewest_spines(counts, ports);
    if (spines == 0) {
        error(diagnostics, "spine",
              fmt::format("{} leaves need spines of at least {} ports of {}, but \"{}\" has {}",
                          counts.leaves, counts.leaves, to_bit_text(counts.uplink),
                          fabric.spine.name, ports),
              "put more nodes on a leaf, or use a larger switch");
    }
    return spines;
}

Link cable(LinkKind kind, Bandwidth bandwidth, Time latency)
{
    return {
        .from = {}, .to = {}, .kind = kind, .bandwidth = bandwidth, .latency = latency, .name = {}};
}

}  // namespace

LeafSpineCounts leaf_spine_counts(const spec::ClusterSpec& cluster)
{
    const auto& fabric = cluster.fabric;
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
    const auto& spec = cluster.fabric;
    const auto& nic = cluster.node.nic;
    auto& graph = fabric.graph;
    std::vector<VertexId> leaves;
    for (int leaf = 0; leaf < counts.leaves; ++leaf) {
        leaves.push_back(graph.add_vertex({VertexKind::leaf, "leaf" + std::to_string(leaf)}));
    }
    const auto nics_per_leaf = static_cast<std::size_t>(counts.downlinks);
    for (std::size_t i = 0; i < fabric.nics.size(); ++i) {
        auto down = cable(LinkKind::nic, nic.bandwidth * nic.efficiency,
                          nic.latency + spec.cable_latency + spec.leaf.latency);
        down.from = fabric.nics[i];
        down.to = leaves[i / nics_per_leaf];
        graph.add_duplex(down, spec.cable_latency);
    }
    // A hash needs every cable apart; an even spread treats a bundle as one wide cable.
    const int links = spec.routing == spec::Routing::ecmp ? counts.cables_per_pair : 1;
    for (int spine = 0; spine < counts.spines; ++spine) {
        const auto to = graph.add_vertex({VertexKind::spine, "spine" + std::to_string(spine)});
        for (const auto leaf : leaves) {
            const int cables = counts.cables_per_pair / links;
            auto up = cable(LinkKind::leaf_spine, counts.uplink * nic.efficiency * cables,
                            spec.cable_latency + spec.spine.latency);
            up.from = leaf;
            up.to = to;
            up.cables = static_cast<std::uint32_t>(cables);
            for (int i = 0; i < links; ++i) {
                graph.add_duplex(up, spec.cable_latency + spec.leaf.latency);
            }
        }
    }
}

}  // namespace sim::fabric

#include "spec/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/checker.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

namespace
{

/// Fewer nodes than a leaf holds are one leaf with free ports; a last leaf that is part full
/// beside full ones would have more uplink per node than they.
void check_full_leaves(Checker& check, const ClusterSpec& cluster, int per_leaf)
{
    if (per_leaf > 0 && cluster.nodes > per_leaf && cluster.nodes % per_leaf != 0) {
        const int full = cluster.nodes / per_leaf * per_leaf;
        check.error("nodes",
                    fmt::format("{} is not a multiple of fabric.nodes_per_leaf {}", cluster.nodes,
                                per_leaf),
                    fmt::format("write {} or {}", full, full + per_leaf));
    }
}

void check_counts(Checker& check, const ClusterSpec& cluster)
{
    check.at_least("nodes", cluster.nodes, 1);
    check.at_least("gpus_per_node", cluster.node.gpus, 1);
    const auto gpus = gpu_count(cluster);
    if (gpus > kMostRanks) {
        check.error("nodes", fmt::format("makes {} GPUs, more than can be numbered", gpus), {});
    }
    if (const auto* leaf_spine = std::get_if<LeafSpineSpec>(&cluster.fabric.network)) {
        check_full_leaves(check, cluster, leaf_spine->nodes_per_leaf);
    }
    if (const auto* custom = std::get_if<CustomSpec>(&cluster.fabric.network)) {
        const auto listed = custom->nodes.size();
        if (listed != 0 && listed != static_cast<std::size_t>(std::max(cluster.nodes, 0))) {
            check.error("nodes",
                        fmt::format("is {}, but fabric.nodes lists {}", cluster.nodes, listed),
                        fmt::format("write {}", listed));
        }
    }
}

const std::vector<CustomSpec::Node>* listed_nodes(const ClusterSpec& cluster)
{
    const auto* custom = std::get_if<CustomSpec>(&cluster.fabric.network);
    return custom == nullptr || custom->nodes.empty() ? nullptr : &custom->nodes;
}

}  // namespace

bool depends_on_seed(const ClusterSpec& cluster)
{
    return depends_on_seed(cluster.fabric.routing) ||
           cluster.placement.order == PlacementSpec::Order::random;
}

std::int64_t gpu_count(const ClusterSpec& cluster)
{
    const auto* listed = listed_nodes(cluster);
    if (listed == nullptr) {
        return static_cast<std::int64_t>(cluster.nodes) * cluster.node.gpus;
    }
    std::int64_t gpus = 0;
    for (const auto& node : *listed) {
        gpus += node.gpus.value_or(cluster.node.gpus);
    }
    return gpus;
}

std::int64_t placed_gpus(const ClusterSpec& cluster)
{
    if (cluster.placement.order != PlacementSpec::Order::listed) {
        return gpu_count(cluster);
    }
    std::int64_t gpus = 0;
    for (const int host : cluster.placement.hosts) {
        gpus += node_of(cluster, host).gpus;
    }
    return gpus;
}

std::string node_name(const ClusterSpec& cluster, int index)
{
    const auto* listed = listed_nodes(cluster);
    return listed == nullptr || static_cast<std::size_t>(index) >= listed->size()
               ? fmt::format("node{}", index)
               : (*listed)[static_cast<std::size_t>(index)].name;
}

NodeSpec node_of(const ClusterSpec& cluster, int index)
{
    NodeSpec node = cluster.node;
    const auto* listed = listed_nodes(cluster);
    if (listed == nullptr || static_cast<std::size_t>(index) >= listed->size()) {
        return node;
    }
    const auto& own = (*listed)[static_cast<std::size_t>(index)];
    node.gpus = own.gpus.value_or(node.gpus);
    node.nics = own.nics.value_or(std::min(node.nics, node.gpus));
    if (node.gpus != cluster.node.gpus || node.nics != cluster.node.nics) {
        node.nic_of_gpu = spread_evenly(node.gpus, node.nics);
        if (node.host.sockets > 0) {
            node.host.socket_of_gpu = spread_evenly(node.gpus, node.host.sockets);
            node.host.socket_of_nic = spread_evenly(node.nics, node.host.sockets);
        }
    }
    return node;
}

namespace
{

void check_costs(Checker& check, const ClusterCosts& costs)
{
    check.not_negative("costs.node_power", costs.node_power.value_or(Power{}));
    if (!(costs.pue >= 1) || !std::isfinite(costs.pue)) {
        check.error("costs.pue", "must be 1 or more", "write pue: 1.2");
    }
    check.not_negative("costs.gpu_hour", costs.gpu_hour.value_or(Money{}));
}

}  // namespace

Diagnostics validate(const ClusterSpec& cluster, const std::string& key)
{
    Diagnostics diagnostics = validate(cluster.node.gpu, key.empty() ? "gpu" : key + ".gpu");
    Checker check{diagnostics, key};
    check_counts(check, cluster);
    check_node(check, cluster.node);
    check_fabric(check, cluster.fabric);
    check_costs(check, cluster.costs);
    const auto host =
        validate(cluster.node.host, cluster.node.nics, key.empty() ? "host" : key + ".host");
    diagnostics.insert(diagnostics.end(), host.begin(), host.end());
    const auto collective = validate(
        cluster.collective, key.empty() ? "collective" : key + ".collective", cluster.node.gpu.sms);
    diagnostics.insert(diagnostics.end(), collective.begin(), collective.end());
    const auto events = validate(cluster.events, key.empty() ? "events" : key + ".events");
    diagnostics.insert(diagnostics.end(), events.begin(), events.end());
    const auto outages = validate(cluster.outages, key.empty() ? "outages" : key + ".outages");
    diagnostics.insert(diagnostics.end(), outages.begin(), outages.end());
    if (!cluster.outages.empty() && !cluster.fabric.convergence) {
        check.error("fabric.convergence", "missing: there are outages",
                    "write how long routing takes to go around a dead cable, such as 1 s");
    }
    return diagnostics;
}

}  // namespace sim::spec

#include "spec/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/contract.hpp"
#include "spec/checker.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

namespace
{

constexpr int kFirstGeneration = 3;
constexpr int kLastGeneration = 7;
constexpr int kLastWithLineCode = 5;

void check_links(Checker& check, const NodeSpec& node)
{
    check.positive("nvlink.bandwidth", node.nvlink.bandwidth, "450 GB/s");
    check.share("nvlink.efficiency", node.nvlink.efficiency);
    check.not_negative("nvlink.latency", node.nvlink.latency);

    check.within("pcie.generation", node.pcie.generation, kFirstGeneration, kLastGeneration);
    check.within("pcie.lanes", node.pcie.lanes, 1, 16);
    check.share("pcie.efficiency", node.pcie.efficiency);
    check.not_negative("pcie.latency", node.pcie.latency);
}

void check_nics(Checker& check, const NodeSpec& node)
{
    check.positive("nic.bandwidth", node.nic.bandwidth, "400 Gbps");
    check.share("nic.efficiency", node.nic.efficiency);
    check.not_negative("nic.latency", node.nic.latency);
    check.at_least("nic.per_node", node.nics, 1);

    if (node.nic_of_gpu.size() != static_cast<std::size_t>(std::max(node.gpus, 0))) {
        check.error("nic.of_gpu",
                    fmt::format("has {} entries, but a node has {} GPUs", node.nic_of_gpu.size(),
                                node.gpus),
                    "write for each GPU the index of the NIC it uses, from 0");
    }
    for (std::size_t gpu = 0; gpu < node.nic_of_gpu.size(); ++gpu) {
        const int nic = node.nic_of_gpu[gpu];
        if (nic < 0 || nic >= node.nics) {
            check.error(
                "nic.of_gpu",
                fmt::format("sends GPU {} to NIC {}, but a node has {} NICs", gpu, nic, node.nics),
                fmt::format("write an index from 0 to {}", node.nics - 1));
        }
    }
}

void check_switch(Checker& check, const std::string& name, const SwitchSpec& spec)
{
    check.positive(name + ".capacity", spec.capacity, "51.2 Tbps");
    check.at_least(name + ".max_ports", spec.max_ports, 1);
    check.not_negative(name + ".latency", spec.latency);
}

/// Whether the switches have the ports depends on the builder, which checks it.
void check_fabric(Checker& check, const FabricSpec& fabric)
{
    if (fabric.kind.empty()) {
        check.error("fabric.kind", "is empty", "write a kind such as leaf_spine");
    }
    check.at_least("fabric.nodes_per_leaf", fabric.nodes_per_leaf, 1);
    check.positive("fabric.oversubscription", fabric.oversubscription,
                   "1 (as much up as down) or 4 (a quarter up)");
    if (fabric.spines) {
        check.at_least("fabric.spines", *fabric.spines, 0);
    }
    if (fabric.uplink) {
        check.positive("fabric.uplink", *fabric.uplink, "800 Gbps");
    }
    check_switch(check, "fabric.leaf", fabric.leaf);
    check_switch(check, "fabric.spine", fabric.spine);
    check.not_negative("fabric.cable_latency", fabric.cable_latency);
    check.at_least("fabric.connections", fabric.connections, 1);
}

void check_counts(Checker& check, const ClusterSpec& cluster)
{
    check.at_least("nodes", cluster.nodes, 1);
    check.at_least("gpus_per_node", cluster.node.gpus, 1);
    const auto gpus = static_cast<std::int64_t>(cluster.nodes) * cluster.node.gpus;
    if (gpus > kMostRanks) {
        check.error("nodes", fmt::format("makes {} GPUs, more than can be numbered", gpus), {});
    }
    // Fewer nodes than a leaf holds are one leaf with free ports; a last leaf that is part full
    // beside full ones would have more uplink per node than they.
    const int per_leaf = cluster.fabric.nodes_per_leaf;
    if (per_leaf > 0 && cluster.nodes > per_leaf && cluster.nodes % per_leaf != 0) {
        const int full = cluster.nodes / per_leaf * per_leaf;
        check.error("nodes",
                    fmt::format("{} is not a multiple of fabric.nodes_per_leaf {}", cluster.nodes,
                                per_leaf),
                    fmt::format("write {} or {}", full, full + per_leaf));
    }
}

void check_collective(Checker& check, const CollectiveSpec& collective, int sms)
{
    check.at_least("collective.channel_sms", collective.channel_sms, 0);
    if (sms > 0 && collective.channel_sms >= sms) {
        check.error("collective.channel_sms",
                    fmt::format("holds {} SMs of a GPU that has {}", collective.channel_sms, sms),
                    fmt::format("write a number below {}", sms));
    }
    check.not_negative("collective.launch", collective.launch);
}

}  // namespace

Bandwidth raw_bandwidth(const PcieSpec& pcie)
{
    SIM_EXPECT(pcie.generation >= kFirstGeneration && pcie.generation <= kLastGeneration);
    const double transfers = 1e9 * (1 << pcie.generation);  // 8 GT/s is generation 3
    const double payload = pcie.generation <= kLastWithLineCode ? 128.0 / 130.0 : 242.0 / 256.0;
    return Bandwidth::of(transfers * pcie.lanes * payload / 8);
}

Diagnostics validate(const ClusterSpec& cluster, const std::string& key)
{
    Diagnostics diagnostics = validate(cluster.node.gpu, key.empty() ? "gpu" : key + ".gpu");
    Checker check{diagnostics, key};
    check_counts(check, cluster);
    check_links(check, cluster.node);
    check_nics(check, cluster.node);
    check_fabric(check, cluster.fabric);
    check_collective(check, cluster.collective, cluster.node.gpu.sms);
    return diagnostics;
}

}  // namespace sim::spec

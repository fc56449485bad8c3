#pragma once

#include "core/literals.hpp"
#include "spec/cluster.hpp"

namespace sim::test
{

/// The network of a cluster that is a leaf-spine.
inline spec::LeafSpineSpec& leaf_spine(spec::ClusterSpec& cluster)
{
    return std::get<spec::LeafSpineSpec>(cluster.fabric.network);
}

/// A machine of round numbers: 8 GPUs and 8 NICs a node, 2 nodes a leaf, no overhead anywhere, and
/// PCIe (Gen7 x16, 242 GB/s) and NVLink (400 GB/s) that do not bind a 50 GB/s NIC.
/// Latencies: NVLink hop 1 us, PCIe crossing 0.25 us, NIC 1 us, cable 0.5 us, switch 0.125 us: all
/// but the NIC's multiples of 2^-3 us, so that sums are easy to follow.
inline spec::ClusterSpec round_cluster(int nodes)
{
    using namespace literals;
    spec::ClusterSpec cluster;
    cluster.nodes = nodes;
    cluster.node.gpus = 8;
    cluster.node.nics = 8;
    cluster.node.nic_of_gpu = {0, 1, 2, 3, 4, 5, 6, 7};
    cluster.node.nvlink = {.bandwidth = 400_GBps, .efficiency = 1, .latency = 1_us};
    cluster.node.pcie = {.generation = 7, .lanes = 16, .efficiency = 1, .latency = 0.25_us};
    cluster.node.nic = {.name = "nic", .bandwidth = 400_Gbps, .efficiency = 1, .latency = 1_us};
    cluster.fabric.cable_latency = 0.5_us;
    auto& network = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    network.nodes_per_leaf = 2;
    network.leaf = {
        .name = "leaf-51T", .capacity = 51.2_Tbps, .max_ports = 128, .latency = 0.125_us};
    network.spine = {
        .name = "spine-51T", .capacity = 51.2_Tbps, .max_ports = 128, .latency = 0.125_us};
    return cluster;
}

/// Four NICs a node, each under the PCIe switch of two neighbouring GPUs.
inline spec::ClusterSpec shared_nic_cluster(int nodes)
{
    auto cluster = round_cluster(nodes);
    cluster.node.nics = 4;
    cluster.node.nic_of_gpu = {0, 0, 1, 1, 2, 2, 3, 3};
    return cluster;
}

}  // namespace sim::test

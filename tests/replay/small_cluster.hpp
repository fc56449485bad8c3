#pragma once

#include "core/literals.hpp"
#include "spec/cluster.hpp"

namespace sim::replay::test
{

/// A cluster without latencies, launch costs or losses, so that times are sizes over bandwidths:
/// NVLink 400 GB/s, one 50 GB/s NIC a GPU, PCIe that never binds (Gen7 x16: 242 GB/s), HBM of
/// 2 TB/s, 100 SMs, all nodes under one leaf.
inline spec::ClusterSpec ideal_cluster(int nodes, int gpus_per_node)
{
    using namespace sim::literals;
    spec::ClusterSpec cluster;
    cluster.name = "ideal";
    cluster.nodes = nodes;
    auto& node = cluster.node;
    node.gpus = gpus_per_node;
    node.nics = gpus_per_node;
    for (int gpu = 0; gpu < gpus_per_node; ++gpu) {
        node.nic_of_gpu.push_back(gpu);
    }
    node.gpu.name = "ideal GPU";
    node.gpu.sms = 100;
    node.gpu.peak = {{spec::Precision::bf16, 100_TFLOPS}};
    node.gpu.math_efficiency = {{spec::Precision::bf16, 1}};
    node.gpu.attention[spec::AttentionLibrary::flash_2] = {{1, 0, 0}, {1, 0, 0}};
    node.gpu.memory = 80_GB;
    node.gpu.memory_bandwidth = 2_TBps;
    node.gpu.memory_efficiency = 1;
    node.nvlink = {.bandwidth = 400_GBps, .efficiency = 1, .latency = {}};
    node.pcie = {.generation = 7, .lanes = 16, .efficiency = 1, .latency = {}};
    node.nic = {.name = "ideal NIC", .bandwidth = 50_GBps, .efficiency = 1, .latency = {}};
    auto& fabric = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    fabric.nodes_per_leaf = nodes;
    fabric.leaf = {.name = "ideal leaf", .capacity = 1000_TBps, .max_ports = 4096, .latency = {}};
    fabric.spine = {.name = "ideal spine", .capacity = 1000_TBps, .max_ports = 4096, .latency = {}};
    return cluster;
}

}  // namespace sim::replay::test

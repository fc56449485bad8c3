#pragma once

#include <string>

#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "spec/experiment.hpp"

namespace sim::spec
{

/// A GPU that is right in every number, round ones so that a reader sees which is meant.
inline GpuSpec example_gpu()
{
    using namespace sim::literals;
    GpuSpec gpu{.name = "G",
                .sms = 100,
                .peak = {{Precision::bf16, 1000_TFLOPS}},
                .memory = 80_GB,
                .memory_bandwidth = 3_TBps,
                .memory_efficiency = 0.9,
                .kernel_launch = 1_us};
    gpu.math_efficiency[Precision::bf16] = 0.7;
    gpu.attention[AttentionLibrary::flash_2] = {{0.7, 20, 200}, {0.7, 20, 200}};
    return gpu;
}

/// Sixteen nodes of eight GPUs, four nodes a leaf.
inline ClusterSpec example_cluster()
{
    using namespace sim::literals;
    ClusterSpec cluster;
    cluster.name = "example";
    cluster.nodes = 16;
    auto& node = cluster.node;
    node.gpus = 8;
    node.gpu = example_gpu();
    node.nvlink = {.bandwidth = 450_GBps, .efficiency = 0.8, .latency = 1_us};
    node.pcie = {.generation = 5, .lanes = 16, .efficiency = 0.9, .latency = 1_us};
    node.nic = {.name = "N", .bandwidth = 400_Gbps, .efficiency = 0.95, .latency = 1_us};
    node.nic_of_gpu = {0, 1, 2, 3, 4, 5, 6, 7};
    node.nics = 8;
    const SwitchSpec tor{.name = "S", .capacity = 51.2_Tbps, .max_ports = 128, .latency = 500_ns};
    auto& network = cluster.fabric.network.emplace<LeafSpineSpec>();
    network.nodes_per_leaf = 4;
    network.leaf = tor;
    network.spine = tor;
    cluster.fabric.cable_latency = 100_ns;
    cluster.collective = {.name = "C", .channel_sms = 16, .launch = 5_us};
    return cluster;
}

/// Llama-3-70B's shape: hidden 8192, 80 layers, 64 heads of 128, 8 key-value heads.
inline WorkloadSpec example_workload()
{
    using namespace sim::literals;
    WorkloadSpec workload;
    workload.model = {.name = "L",
                      .hidden = 8192,
                      .layers = 80,
                      .heads = 64,
                      .kv_heads = 8,
                      .head_dim = 128,
                      .ffn = 28672,
                      .vocab = 128256};
    workload.sequence = 8192;
    workload.global_batch = 128;
    workload.micro_batch = 1;
    workload.plan.tensor = 8;
    workload.plan.data = 16;
    workload.plan.zero = 1;
    workload.plan.sequence_parallel = true;
    workload.framework = {.name = "F",
                          .gradient_bucket = 200_MB,
                          .overlap_gradients = true,
                          .overlap_parameters = true,
                          .optimizer_bytes_per_parameter = 28,
                          .optimizer_state_bytes = 12,
                          .reserved = 4_GB};
    return workload;
}

inline constexpr int kExampleRanks = 128;

/// One line a diagnostic: `error: key: message | hint`.
inline std::string told(const Diagnostics& diagnostics)
{
    std::string text;
    for (const auto& diagnostic : diagnostics) {
        text += text.empty() ? "" : "\n";
        text += diagnostic.severity == Diagnostic::Severity::error ? "error: " : "warning: ";
        text += diagnostic.key + ": " + diagnostic.message;
        text += diagnostic.hint.empty() ? "" : " | " + diagnostic.hint;
    }
    return text;
}

}  // namespace sim::spec

#include "config/read_cluster.hpp"

#include <utility>

#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

/// More GPUs than any node has; a larger number is a mistake that `validate` names.
constexpr int kMostGpus = 4096;

spec::GpuSpec read_gpu(MapReader reader)
{
    spec::GpuSpec gpu;
    gpu.name = reader.required("name", words("H100 SXM"));
    gpu.sms = reader.required("sms", count("132"));
    auto peak = reader.section("peak", "{ bf16: 989 TFLOP/s }");
    for (const auto& [word, precision] : precision_words()) {
        if (const auto rate = peak.optional(word, quantity<FlopRate>("989 TFLOP/s"))) {
            gpu.peak[precision] = *rate;
        }
    }
    peak.finish();
    gpu.math_efficiency = reader.required("math_efficiency", real_number("0.8"));
    gpu.memory = reader.required("memory", quantity<Bytes>("80 GiB"));
    gpu.memory_bandwidth = reader.required("memory_bandwidth", quantity<Bandwidth>("3.35 TB/s"));
    gpu.memory_efficiency = reader.required("memory_efficiency", real_number("0.9"));
    gpu.kernel_launch = reader.required("kernel_launch", quantity<Time>("2.4 us"));
    reader.finish();
    return gpu;
}

spec::NvlinkSpec read_nvlink(MapReader reader)
{
    spec::NvlinkSpec nvlink;
    nvlink.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("450 GB/s"));
    nvlink.efficiency = reader.required("efficiency", real_number("0.82"));
    nvlink.latency = reader.required("latency", quantity<Time>("3.4 us"));
    reader.finish();
    return nvlink;
}

spec::PcieSpec read_pcie(MapReader reader)
{
    spec::PcieSpec pcie;
    pcie.generation = reader.required("generation", count("5"));
    pcie.lanes = reader.required("lanes", count("16"));
    pcie.efficiency = reader.required("efficiency", real_number("0.87"));
    pcie.latency = reader.required("latency", quantity<Time>("500 ns"));
    reader.finish();
    return pcie;
}

void read_nics(MapReader reader, spec::NodeSpec& node)
{
    node.nic.name = reader.required("name", words("ConnectX-7"));
    node.nic.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("400 Gbps"));
    node.nic.efficiency = reader.required("efficiency", real_number("0.96"));
    node.nic.latency = reader.required("latency", quantity<Time>("2 us"));
    node.nics = reader.required("per_node", count("8"));
    if (auto chosen = reader.optional_list("of_gpu", count("0"))) {
        node.nic_of_gpu = std::move(*chosen);
    } else if (!reader.written("of_gpu") && node.gpus > 0 && node.gpus <= kMostGpus) {
        for (std::int64_t g = 0; g < node.gpus; ++g) {
            node.nic_of_gpu.push_back(static_cast<int>(g * node.nics / node.gpus));
        }
        reader.record_default("of_gpu", node.nic_of_gpu, "spread evenly");
    }
    reader.finish();
}

spec::SwitchSpec read_switch(MapReader reader)
{
    spec::SwitchSpec device;
    device.name = reader.required("name", words("51.2T"));
    device.capacity = reader.required("capacity", quantity<Bandwidth>("51.2 Tbps"));
    device.max_ports = reader.required("max_ports", count("64"));
    device.latency = reader.required("latency", quantity<Time>("600 ns"));
    reader.finish();
    return device;
}

spec::FabricSpec read_fabric(MapReader reader)
{
    spec::FabricSpec fabric;
    fabric.kind = reader.required("kind", words("leaf_spine"));
    fabric.nodes_per_leaf = reader.required("nodes_per_leaf", count("4"));
    fabric.oversubscription = reader.required("oversubscription", real_number("1"));
    fabric.spines = reader.optional("spines", count("4"));
    fabric.uplink = reader.optional("uplink", quantity<Bandwidth>("400 Gbps"));
    fabric.leaf = read_switch(reader.section("leaf", "{ extends: path/to/switch.yaml }"));
    fabric.spine = read_switch(reader.section("spine", "{ extends: path/to/switch.yaml }"));
    fabric.cable_latency = reader.required("cable_latency", quantity<Time>("50 ns"));
    fabric.routing = reader.defaulted("routing", choice(routing_words()), "even");
    fabric.connections = reader.defaulted("connections", count("1"), "1");
    reader.finish();
    return fabric;
}

spec::CollectiveSpec read_collective(MapReader reader)
{
    spec::CollectiveSpec collective;
    collective.name = reader.required("name", words("NCCL"));
    collective.channel_sms = reader.required("channel_sms", count("16"));
    collective.launch = reader.required("launch", quantity<Time>("10 us"));
    reader.finish();
    return collective;
}

}  // namespace

spec::ClusterSpec read_cluster(MapReader reader)
{
    spec::ClusterSpec cluster;
    cluster.name = reader.required("name", words("my-cluster"));
    cluster.nodes = reader.required("nodes", count("16"));
    cluster.node.gpus = reader.required("gpus_per_node", count("8"));
    cluster.node.gpu = read_gpu(reader.section("gpu", "{ extends: path/to/gpu.yaml }"));
    cluster.node.nvlink = read_nvlink(reader.section("nvlink", "{ extends: path/to/nvlink.yaml }"));
    cluster.node.pcie = read_pcie(reader.section("pcie", "{ extends: path/to/pcie.yaml }"));
    read_nics(reader.section("nic", "{ extends: path/to/nic.yaml, per_node: 8 }"), cluster.node);
    cluster.fabric = read_fabric(reader.section("fabric", "{ kind: leaf_spine, ... }"));
    cluster.collective =
        read_collective(reader.section("collective", "{ extends: path/to/collective.yaml }"));
    reader.finish();
    return cluster;
}

}  // namespace sim::config

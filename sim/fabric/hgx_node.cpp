#include "fabric/hgx_node.hpp"

#include <string>

#include "core/contract.hpp"

namespace sim::fabric
{
namespace
{

/// One cable or slot that all GPUs or NICs of the node have alike; the ends differ.
Link nvlink(const spec::NvlinkSpec& spec)
{
    // The latency is of GPU to GPU; half of it lies on either side of the switch.
    return {.from = {},
            .to = {},
            .kind = LinkKind::nvlink,
            .bandwidth = spec.bandwidth * spec.efficiency,
            .latency = spec.latency / 2.0,
            .name = {}};
}

Link pcie_slot(const spec::PcieSpec& spec)
{
    return {.from = {},
            .to = {},
            .kind = LinkKind::pcie,
            .bandwidth = spec::raw_bandwidth(spec) * spec.efficiency,
            .latency = spec.latency,
            .name = {}};
}

void join(Graph& graph, Link link, VertexId from, VertexId to)
{
    link.from = from;
    link.to = to;
    graph.add_duplex(link);
}

}  // namespace

void add_hgx_node(Fabric& fabric, const spec::NodeSpec& node, int index)
{
    SIM_EXPECT(node.nic_of_gpu.size() == static_cast<std::size_t>(node.gpus));
    auto& graph = fabric.graph;
    const auto prefix = "node" + std::to_string(index) + "/";
    const auto nvswitch = graph.add_vertex({VertexKind::nvswitch, prefix + "nvswitch"});
    const auto slot = pcie_slot(node.pcie);
    std::vector<VertexId> pcie_switches;
    const auto first_nic = fabric.nics.size();
    for (int nic = 0; nic < node.nics; ++nic) {
        const auto number = std::to_string(nic);
        pcie_switches.push_back(
            graph.add_vertex({VertexKind::pcie_switch, prefix + "pcie" + number}));
        fabric.nics.push_back(graph.add_vertex({VertexKind::nic, prefix + "nic" + number}));
        join(graph, slot, fabric.nics.back(), pcie_switches.back());
    }
    for (int gpu = 0; gpu < node.gpus; ++gpu) {
        const auto nic = static_cast<std::size_t>(node.nic_of_gpu[static_cast<std::size_t>(gpu)]);
        SIM_EXPECT(nic < pcie_switches.size());
        const auto vertex =
            graph.add_vertex({VertexKind::gpu, prefix + "gpu" + std::to_string(gpu)});
        join(graph, nvlink(node.nvlink), vertex, nvswitch);
        join(graph, slot, vertex, pcie_switches[nic]);
        fabric.gpus.push_back(vertex);
        fabric.nic_of_gpu.push_back(fabric.nics[first_nic + nic]);
    }
}

}  // namespace sim::fabric

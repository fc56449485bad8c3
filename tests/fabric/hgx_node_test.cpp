#include "fabric/hgx_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/nodes.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

std::ptrdiff_t count(const Graph& graph, LinkKind kind)
{
    return std::count_if(graph.links().begin(), graph.links().end(),
                         [kind](const Link& link) { return link.kind == kind; });
}

TEST(HgxNode, HasAPcieSwitchForEveryNicAndALinkForEverySlot)
{
    Fabric fabric;
    add_hgx_node(fabric, test::shared_nic_cluster(1).node, "node3");
    // 8 GPUs, 1 NVSwitch, 4 PCIe switches, 4 NICs.
    EXPECT_EQ(fabric.graph.vertices().size(), 17U);
    // Two directions each: 8 GPUs on NVLink; 8 GPU slots and 4 NIC slots.
    EXPECT_EQ(count(fabric.graph, LinkKind::nvlink), 16);
    EXPECT_EQ(count(fabric.graph, LinkKind::pcie), 24);
    EXPECT_EQ(fabric.graph.vertices()[fabric.gpus[5].index()].name, "node3/gpu5");
}

TEST(HgxNode, EntersEachGpuWithTheNicThatServesIt)
{
    Fabric fabric;
    const auto node = test::shared_nic_cluster(1).node;
    add_hgx_node(fabric, node, "node0");
    add_hgx_node(fabric, node, "node1");
    // GPU 5 of either node is under NIC 2; a node has 4 NICs and 8 GPUs.
    EXPECT_EQ(fabric.nic_of_gpu[5], fabric.nics[2]);
    EXPECT_EQ(fabric.nic_of_gpu[8 + 5], fabric.nics[4 + 2]);
    EXPECT_EQ(fabric.graph.vertices()[fabric.nics[6].index()].name, "node1/nic2");
}

TEST(HgxNode, LinksCarryWhatTheirEfficiencyLeaves)
{
    Fabric fabric;
    auto node = test::round_cluster(1).node;
    node.nvlink.efficiency = 0.75;
    node.pcie = {.generation = 5, .lanes = 16, .efficiency = 0.9, .latency = 0.25_us};
    add_hgx_node(fabric, node, "node0");
    for (const auto& link : fabric.graph.links()) {
        // 32 GT/s * 16 lanes * 128/130 / 8 = 63.0154 GB/s, of which 0.9 is 56.7138.
        const double expected = link.kind == LinkKind::nvlink ? 300e9 : 56.7138e9;
        EXPECT_NEAR(link.bandwidth.base() / expected, 1, 1e-5) << link.name;
    }
}

TEST(HgxNode, FourPlanesOfAQuarterCarryWhatOneDoes)
{
    auto cluster = test::pair_of(spec::HgxSpec{}, 8);
    const double one = test::rate(cluster, 0, 7);
    cluster.node.scale_up = spec::HgxSpec{.planes = 4};
    EXPECT_EQ(test::switches(test::described(cluster), VertexKind::nvswitch), 8);
    EXPECT_DOUBLE_EQ(one, 400e9);
    EXPECT_DOUBLE_EQ(test::rate(cluster, 0, 7), one);
}

}  // namespace
}  // namespace sim::fabric

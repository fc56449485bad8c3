#include "fabric/leaf_spine.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/diagnostics.hpp"
#include "fabric/clusters.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;
using test::round_cluster;

Diagnostics refused(const spec::ClusterSpec& cluster)
{
    try {
        (void)build(cluster);
    } catch (const InputError& error) {
        return error.diagnostics();
    }
    return {};
}

/// Payload from the leaves of the first half of the nodes into the spines.
Bandwidth half_to_half(const Fabric& fabric, int leaves)
{
    Bandwidth sum;
    for (const auto& link : fabric.graph.links()) {
        if (link.kind == LinkKind::leaf_spine &&
            fabric.graph.vertices()[link.from.index()].kind == VertexKind::leaf) {
            const auto& name = fabric.graph.vertices()[link.from.index()].name;
            if (std::stoi(name.substr(4)) < leaves / 2) {
                sum += link.bandwidth;
            }
        }
    }
    return sum;
}

TEST(LeafSpine, SixteenNodesOfEightNicsNeedOneSpineOf128Ports)
{
    auto cluster = round_cluster(16);
    test::leaf_spine(cluster).nodes_per_leaf = 4;
    const auto counts = leaf_spine_counts(cluster);
    // 4 nodes * 8 NICs = 32 down, as many up at the same speed; 4 leaves * 32 = 128 ports.
    EXPECT_EQ(counts.leaves, 4);
    EXPECT_EQ(counts.downlinks, 32);
    EXPECT_EQ(counts.uplinks, 32);
    EXPECT_EQ(counts.spines, 1);
    EXPECT_EQ(counts.cables_per_pair, 32);
}

TEST(LeafSpine, TwiceTheSpeedHalvesThePortsASpineHas)
{
    auto cluster = round_cluster(16);
    test::leaf_spine(cluster).nodes_per_leaf = 4;
    cluster.node.nic.bandwidth = 800_Gbps;
    // 51.2 Tbps / 800 Gbps = 64 ports a spine for the same 128 uplinks; a leaf's 64 * 800 Gbps fit.
    const auto counts = leaf_spine_counts(cluster);
    EXPECT_EQ(counts.uplinks, 32);
    EXPECT_EQ(counts.spines, 2);
    EXPECT_EQ(counts.cables_per_pair, 16);
}

TEST(LeafSpine, OversubscriptionTakesUplinksAway)
{
    auto cluster = round_cluster(16);
    test::leaf_spine(cluster).nodes_per_leaf = 4;
    test::leaf_spine(cluster).oversubscription = 4;
    // 32 / 4 = 8 uplinks.
    EXPECT_EQ(leaf_spine_counts(cluster).uplinks, 8);
    test::leaf_spine(cluster).uplink = 800_Gbps;
    // 32 * 400 / 4 / 800 = 4.
    EXPECT_EQ(leaf_spine_counts(cluster).uplinks, 4);
}

TEST(LeafSpine, SpinesTakeEqualPartsOfEveryLeaf)
{
    auto cluster = round_cluster(12);
    test::leaf_spine(cluster).spine.max_ports = 40;
    // 6 leaves * 16 uplinks = 96 ports; 3 spines of 40 would do, but 16 does not divide by 3.
    const auto counts = leaf_spine_counts(cluster);
    EXPECT_EQ(counts.spines, 4);
    EXPECT_EQ(counts.cables_per_pair, 4);
}

TEST(LeafSpine, OneLeafNeedsNoSpine)
{
    const auto counts = leaf_spine_counts(round_cluster(2));
    EXPECT_EQ(counts.uplinks, 0);
    EXPECT_EQ(counts.spines, 0);
    EXPECT_EQ(build(round_cluster(2)).graph.vertices().size(), 2 * 25U + 1U);
}

TEST(LeafSpine, BisectionIsHalfTheNicsOverTheOversubscription)
{
    auto cluster = round_cluster(8);
    // 4 nodes * 8 NICs * 50 GB/s = 1600 GB/s leave either half.
    EXPECT_DOUBLE_EQ(half_to_half(build(cluster), 4).base(), 1600e9);
    test::leaf_spine(cluster).oversubscription = 4;
    EXPECT_DOUBLE_EQ(half_to_half(build(cluster), 4).base(), 400e9);
    cluster.fabric.routing = spec::Routing::ecmp;
    cluster.node.nic.efficiency = 0.5;
    EXPECT_DOUBLE_EQ(half_to_half(build(cluster), 4).base(), 200e9);
}

TEST(LeafSpine, CablesAreBundledOnlyWhenNothingIsHashed)
{
    auto cluster = round_cluster(4);
    const auto uplinks = [&] {
        std::size_t links = 0;
        std::size_t cables = 0;
        const auto fabric = build(cluster);
        for (const auto& link : fabric.graph.links()) {
            if (link.kind == LinkKind::leaf_spine) {
                ++links;
                cables += link.cables;
            }
        }
        return std::pair{links, cables};
    };
    // 2 leaves of 16 uplinks to one spine, both directions.
    EXPECT_EQ(uplinks(), (std::pair<std::size_t, std::size_t>{4, 64}));
    cluster.fabric.routing = spec::Routing::ecmp;
    EXPECT_EQ(uplinks(), (std::pair<std::size_t, std::size_t>{64, 64}));
}

TEST(LeafSpine, AFractionOfAnUplinkIsRefused)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).oversubscription = 3;
    const auto diagnostics = refused(cluster);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].key, "cluster.fabric.oversubscription");
    EXPECT_EQ(diagnostics[0].message,
              "a leaf would need 5.33333 uplinks (16 downlinks of 400 Gbps / 3 / 400 Gbps each), "
              "which is not a whole number");
    EXPECT_EQ(diagnostics[0].hint,
              "choose oversubscription, nodes_per_leaf or uplink so that it is");
}

TEST(LeafSpine, ALeafWithTooFewPortsAndTooLittleCapacityIsToldBoth)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).leaf = {
        .name = "leaf-12T", .capacity = 9.6_Tbps, .max_ports = 24, .latency = 0.125_us};
    const auto diagnostics = refused(cluster);
    ASSERT_EQ(diagnostics.size(), 2U);
    EXPECT_EQ(diagnostics[0].message,
              "a leaf needs 32 ports (16 down, 16 up), but \"leaf-12T\" has 24");
    EXPECT_EQ(diagnostics[1].message,
              "the ports of a leaf carry 12.8 Tbps (16 x 400 Gbps down, 16 x 400 Gbps up), but "
              "\"leaf-12T\" switches 9.6 Tbps");
}

TEST(LeafSpine, SpinesThatDoNotDivideTheUplinksAreRefusedWithANumberThatWorks)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).spines = 3;
    const auto diagnostics = refused(cluster);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].key, "cluster.fabric.spines");
    EXPECT_EQ(diagnostics[0].message, "16 uplinks of a leaf do not divide over 3 spines");
    EXPECT_EQ(diagnostics[0].hint, "write 1, or leave it out");
}

TEST(LeafSpine, TooFewSpinePortsAreCounted)
{
    auto cluster = round_cluster(8);
    test::leaf_spine(cluster).spine.max_ports = 32;
    test::leaf_spine(cluster).spines = 1;
    auto diagnostics = refused(cluster);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].message,
              "32 spine ports of 400 Gbps (1 x 32) are fewer than the 64 uplinks of 4 leaves");
    EXPECT_EQ(diagnostics[0].hint, "write 2, or leave it out");

    test::leaf_spine(cluster).spines.reset();
    test::leaf_spine(cluster).spine.max_ports = 3;
    diagnostics = refused(cluster);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].message,
              "4 leaves need spines of at least 4 ports of 400 Gbps, but \"spine-51T\" has 3");
}

TEST(LeafSpine, LeavesWithoutSpinesAreNotConnected)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).spines = 0;
    const auto diagnostics = refused(cluster);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].message,
              "node0/gpu0 and node2/gpu0 are not connected (no cable leads from one to the other)");
}

}  // namespace
}  // namespace sim::fabric

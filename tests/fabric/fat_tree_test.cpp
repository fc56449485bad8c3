#include "fabric/fat_tree.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

spec::ClusterSpec tree(int nodes, int radix, int tiers)
{
    auto cluster = test::bare_cluster(nodes, 1);
    spec::FatTreeSpec spec;
    spec.radix = radix;
    spec.clos = test::clos(tiers, test::ample_switch());
    cluster.fabric.network = spec;
    return cluster;
}

spec::FatTreeSpec& spec_of(spec::ClusterSpec& cluster)
{
    return std::get<spec::FatTreeSpec>(cluster.fabric.network);
}

TEST(FatTree, OfThreeTiersAndRadixKHoldsKCubedOverFourHosts)
{
    for (const int k : {4, 8, 12}) {
        const auto whole = test::described(tree(k * k * k / 4, k, 3));
        // k pods of k/2 leaves and k/2 spines, (k/2)^2 cores; k^3/4 cables between every two tiers.
        EXPECT_EQ(test::switches(whole, VertexKind::leaf), k * k / 2);
        EXPECT_EQ(test::switches(whole, VertexKind::spine), k * k / 2);
        EXPECT_EQ(test::switches(whole, VertexKind::core), k * k / 4);
        for (const auto kind : {LinkKind::nic, LinkKind::leaf_spine, LinkKind::spine_core}) {
            EXPECT_EQ(test::cables(whole, kind), k * k * k / 4);
        }
        for (const auto& tier : whole.tiers) {
            if (tier.kind != VertexKind::nvswitch) {
                EXPECT_EQ(tier.most_ports, k);
            }
        }
    }
}

TEST(FatTree, OneHostMoreThanItHoldsIsRefused)
{
    try {
        (void)build(tree(17, 4, 3));
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        // 9 leaves are 5 pods, and a core of 4 ports reaches 4.
        EXPECT_EQ(error.diagnostics()[0].message,
                  "5 pods need cores of at least 5 ports of 400 Gbps, but \"ample\" has 4");
    }
}

TEST(FatTree, IsNonBlocking)
{
    for (const int tiers : {2, 3}) {
        const auto cluster = tree(tiers == 2 ? 32 : 128, 8, tiers);
        const auto found = test::described(cluster);
        EXPECT_FALSE(found.bisection_by_flow);
        EXPECT_DOUBLE_EQ(found.bisection / found.injection, 1);
        EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    }
}

TEST(FatTree, IsAsOversubscribedAsItsNarrowestTier)
{
    auto cluster = tree(3 * 4 * 16, 16, 3);
    spec_of(cluster).clos.oversubscription = 3;
    // 16 ports: 12 down and 4 up; 16 leaves, pods of 8, each with 4 spines of 8 down and 8 up.
    const auto found = test::described(cluster);
    EXPECT_EQ(test::switches(found, VertexKind::leaf), 16);
    EXPECT_EQ(test::switches(found, VertexKind::spine), 8);
    EXPECT_DOUBLE_EQ(found.injection / found.bisection, 3);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);

    spec_of(cluster).clos.oversubscription = 1;
    spec_of(cluster).clos.spine_oversubscription = 3;
    // 8 down and 8 up at a leaf; spines of 12 down and 4 up: 24 leaves are 2 pods of 12.
    EXPECT_DOUBLE_EQ(test::described(cluster).injection / test::described(cluster).bisection, 3);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
}

TEST(FatTree, ParallelCablesTakeSpinesAway)
{
    auto cluster = tree(32, 16, 2);
    // 8 down, 8 up; 4 leaves: 2 spines of 16 ports suffice, 4 cables a pair.
    EXPECT_EQ(test::switches(test::described(cluster), VertexKind::spine), 2);
    spec_of(cluster).clos.parallel = 1;
    EXPECT_EQ(test::switches(test::described(cluster), VertexKind::spine), 8);
    EXPECT_EQ(test::cables(test::described(cluster), LinkKind::leaf_spine), 32);
}

TEST(FatTree, AnyLinkSpeedWorksWithoutATable)
{
    for (const auto speed : {100_Gbps, 400_Gbps, 450_GBps, 3.2_Tbps}) {
        auto cluster = tree(16, 8, 2);
        cluster.node.nic.bandwidth = speed;
        const auto found = test::described(cluster);
        EXPECT_DOUBLE_EQ(found.bisection / speed, 8);
    }
}

TEST(FatTree, DiameterIsTwoCablesATier)
{
    const auto found = test::described(tree(128, 8, 3));
    EXPECT_EQ(found.paths.diameter, 6);
    // Of the 127 others 3 share a leaf, 12 the pod, 112 neither.
    EXPECT_DOUBLE_EQ(found.paths.mean_hops, (3 * 2 + 12 * 4 + 112 * 6) / 127.0);
    // 4 spines in a pod; 16 cores between pods.
    EXPECT_EQ(found.paths.fewest_paths, 4);
    EXPECT_EQ(found.paths.most_paths, 16);
}

TEST(FatTree, PortsThatCannotBePartedAreRefused)
{
    auto cluster = tree(8, 8, 2);
    spec_of(cluster).clos.oversubscription = 2;
    try {
        (void)build(cluster);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "8 ports cannot be parted 2 : 1 into ports of 400 Gbps down and 400 Gbps up");
    }
}

}  // namespace
}  // namespace sim::fabric

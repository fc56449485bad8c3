#include "fabric/equalise.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

spec::ClusterSpec leaf_spine(int nodes)
{
    auto cluster = test::bare_cluster(nodes, 4);
    cluster.name = "cluster";
    auto& network = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    network.nodes_per_leaf = 2;
    network.leaf = network.spine = test::ample_switch();
    network.leaf.upkeep.price = 1000_USD;
    network.spine.upkeep.price = 1000_USD;
    return cluster;
}

spec::ClusterSpec torus(int planes)
{
    auto cluster = test::bare_cluster(planes * 4, 4);
    cluster.name = "torus";
    spec::TorusSpec spec;
    spec.sides = {planes, 4};
    spec.device = test::ample_switch();
    cluster.fabric.network = spec;
    return cluster;
}

TEST(Equalise, ToEqualBisectionByOneFactorOnEveryRate)
{
    // Half of 8 nodes of 4 x 50 GB/s send 800 GB/s; the torus of 4 x 4 is cut by 2 x 4 cables of
    // 50 GB/s = 400 GB/s.
    const auto found = equalise(torus(4), Basis::bisection, 800e9);
    EXPECT_NEAR(found.reached, 800e9, 1);
    EXPECT_DOUBLE_EQ(found.cluster.node.nic.bandwidth.base(), 100e9);
    EXPECT_EQ(found.change, "every line rate x 2, a NIC of 800 Gbps");
    EXPECT_EQ(equalise(torus(4), Basis::bisection, 400e9).change, "as it is");
}

TEST(Equalise, GivenRatesScaleToo)
{
    auto cluster = torus(4);
    std::get<spec::TorusSpec>(cluster.fabric.network).link = 200_Gbps;
    const auto found = equalise(cluster, Basis::bisection, 400e9);
    EXPECT_NEAR(found.reached, 400e9, 1);
    EXPECT_EQ(std::get<spec::TorusSpec>(found.cluster.fabric.network).link, 400_Gbps);
}

TEST(Equalise, ToEqualPortsByWholeLeaves)
{
    // A leaf of 2 nodes has 8 ports down and 8 up, each up with a spine's port: 24.
    const auto found = equalise(leaf_spine(8), Basis::ports, 24 * 10);
    EXPECT_EQ(found.cluster.nodes, 20);
    EXPECT_EQ(found.reached, 240);
    EXPECT_EQ(found.change, "20 nodes instead of 8");
    const auto near = equalise(leaf_spine(8), Basis::ports, 250);
    EXPECT_EQ(near.cluster.nodes, 20);
    EXPECT_EQ(near.change,
              "20 nodes instead of 8, 4.00 % below the first: as near as whole "
              "leaves come");
}

TEST(Equalise, ATorusGrowsByPlanes)
{
    // A plane of 4 switches with 4 NICs each, one cable forward on each of two sides: 16 + 2 x 8.
    const auto found = equalise(torus(4), Basis::ports, 32 * 7);
    EXPECT_EQ(std::get<spec::TorusSpec>(found.cluster.fabric.network).sides.front(), 7);
    EXPECT_EQ(found.cluster.nodes, 28);
}

TEST(Equalise, ToEqualCostByTheBill)
{
    // Leaves and spines of 1000 USD; 4096 ports make one spine enough for all of these.
    const auto found = equalise(leaf_spine(8), Basis::cost, 11'000);
    EXPECT_EQ(found.cluster.nodes, 20);  // 10 leaves and 1 spine
}

TEST(Equalise, WhatHasNoOtherSizeIsRefused)
{
    auto cluster = test::bare_cluster(6, 1);
    cluster.name = "fly";
    cluster.fabric.network = spec::DragonflySpec{.nodes_per_switch = 1,
                                                 .switches_per_group = 2,
                                                 .global_ports = 1,
                                                 .device = test::ample_switch()};
    try {
        (void)equalise(cluster, Basis::ports, 100);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "fly cannot be brought to another size: the switches of a dragonfly follow from "
                  "its groups, not from its nodes");
    }
}

}  // namespace
}  // namespace sim::fabric

#include "fabric/description.hpp"

#include <gtest/gtest.h>

#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

TEST(Description, AddsUpWhatHasAPrice)
{
    auto cluster = test::bare_cluster(4, 2);
    auto model = test::ample_switch();
    model.upkeep = {40000_USD, 1500_W};
    cluster.fabric.network = spec::SingleSwitchSpec{model};
    EXPECT_EQ(test::described(cluster).total.price, 40000_USD);
    cluster.fabric.cable.price = 300_USD;
    cluster.node.nic.upkeep = {1000_USD, 25_W};
    const auto found = test::described(cluster);
    // One switch, 8 NICs and 8 cables.
    EXPECT_EQ(found.total.price, 40000_USD + 8000_USD + 2400_USD);
    EXPECT_EQ(found.total.power, 1500_W + 200_W);
    ASSERT_EQ(found.bill.size(), 3U);
    EXPECT_EQ(found.bill[2].count, 8);
}

TEST(Description, SaysNothingOfPricesNobodyGave)
{
    const auto found = test::described(test::round_cluster(4));
    EXPECT_FALSE(found.total.price.has_value());
    EXPECT_FALSE(found.total.power.has_value());
}

TEST(Description, LeafSpineByHand)
{
    auto cluster = test::round_cluster(8);
    test::leaf_spine(cluster).oversubscription = 2;
    const auto found = test::described(cluster);
    EXPECT_EQ(found.gpus, 64U);
    // 2 nodes of 8 NICs a leaf: 16 down, 8 up.
    EXPECT_EQ(test::switches(found, VertexKind::leaf), 4);
    EXPECT_EQ(test::cables(found, LinkKind::leaf_spine), 32);
    EXPECT_EQ(found.tiers.at(0).most_ports, 24);
    EXPECT_DOUBLE_EQ(found.tiers.at(0).oversubscription.value(), 2);
    EXPECT_DOUBLE_EQ(found.injection.base(), 32 * 50e9);
    EXPECT_DOUBLE_EQ(found.bisection.base(), 16 * 50e9);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    // Of the 56 NICs of other nodes 8 are on the same leaf.
    EXPECT_DOUBLE_EQ(found.paths.mean_hops, (8 * 2 + 48 * 4) / 56.0);
}

TEST(Description, OfALeafCutInTwoIsByFlow)
{
    auto cluster = test::round_cluster(6);  // three leaves
    const auto found = test::described(cluster);
    EXPECT_TRUE(found.bisection_by_flow);
    EXPECT_DOUBLE_EQ(found.bisection.base(), 24 * 50e9);
}

}  // namespace
}  // namespace sim::fabric

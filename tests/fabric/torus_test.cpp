#include "fabric/torus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

spec::ClusterSpec grid(const std::vector<int>& sides, const std::vector<bool>& wrap = {})
{
    const int nodes = std::accumulate(sides.begin(), sides.end(), 1, std::multiplies<>{});
    auto cluster = test::bare_cluster(nodes, 1);
    spec::TorusSpec spec;
    spec.sides = sides;
    spec.wrap = wrap;
    spec.device = test::ample_switch();
    cluster.fabric.network = spec;
    return cluster;
}

TEST(Torus, DiameterIsHalfOfEverySide)
{
    // 2 cables to the NICs, and floor(k / 2) along a side that wraps, k - 1 along one that does
    // not.
    EXPECT_EQ(test::described(grid({4, 4, 4})).paths.diameter, 2 + 2 + 2 + 2);
    EXPECT_EQ(test::described(grid({5, 3})).paths.diameter, 2 + 2 + 1);
    EXPECT_EQ(test::described(grid({4, 4}, {false, true})).paths.diameter, 2 + 3 + 2);
}

TEST(Torus, LooksTheSameFromEverySwitch)
{
    const auto fabric = build(grid({4, 3, 2}));
    std::vector<std::uint32_t> first;
    for (const auto nic : fabric.nics) {
        auto distances = fabric.graph.distances_to(nic);
        std::sort(distances.begin(), distances.end());
        first = first.empty() ? distances : first;
        EXPECT_EQ(distances, first);
    }
    const auto mesh = build(grid({4, 1}, {false, false}));
    const auto from = [&](std::size_t nic) {
        auto distances = mesh.graph.distances_to(mesh.nics[nic]);
        std::sort(distances.begin(), distances.end());
        return distances;
    };
    EXPECT_NE(from(0), from(1));  // an end and a middle
}

TEST(Torus, BisectionIsTwoPlanesOfCables)
{
    auto cluster = grid({8, 4});
    cluster.node.nic.bandwidth = 3.2_Tbps;  // so that no NIC binds
    std::get<spec::TorusSpec>(cluster.fabric.network).link = 400_Gbps;
    // The side of 8 is cut twice, 4 cables each: 8 x 50 GB/s.
    EXPECT_DOUBLE_EQ(torus_bisection(cluster)->base(), 8 * 50e9);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    std::get<spec::TorusSpec>(cluster.fabric.network).wrap = {false, true};
    EXPECT_DOUBLE_EQ(torus_bisection(cluster)->base(), 4 * 50e9);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
}

TEST(Torus, ASideOfTwoThatWrapsHasTwoCablesAndASideOfOneNone)
{
    EXPECT_EQ(test::cables(test::described(grid({2})), LinkKind::peer), 2);
    EXPECT_EQ(test::cables(test::described(grid({2}, {false})), LinkKind::peer), 1);
    EXPECT_EQ(test::cables(test::described(grid({1, 1})), LinkKind::peer), 0);
    EXPECT_EQ(test::cables(test::described(grid({4, 1})), LinkKind::peer), 4);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(grid({2, 2, 2})), 1);
}

TEST(Torus, EveryWrappedSideLongerThanOneGivesASwitchOneCable)
{
    // N switches x sides.
    EXPECT_EQ(test::cables(test::described(grid({4, 3, 2})), LinkKind::peer), 24 * 3);
}

TEST(Torus, NodesThatDoNotFillItAreRefused)
{
    auto cluster = grid({4, 4});
    cluster.nodes = 15;
    try {
        (void)build(cluster);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "have places for 16 nodes (16 switches of 1), but there are 15");
    }
}

}  // namespace
}  // namespace sim::fabric

#include "collective/mesh_rings.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

TEST(DisjointRings, VisitEveryoneAndShareNoDirectedPair)
{
    for (std::size_t n = 3; n <= 16; ++n) {
        const auto rings = disjoint_rings(n);
        EXPECT_EQ(rings.size(), n % 2 == 1 ? n - 1 : n - 2) << n;
        Pairs used;
        for (const auto& ring : rings) {
            EXPECT_EQ(std::set<std::size_t>(ring.begin(), ring.end()).size(), n);
            for (std::size_t i = 0; i < n; ++i) {
                EXPECT_TRUE(used.emplace(ring[i], ring[(i + 1) % n]).second) << n;
            }
        }
    }
}

TEST(Zigzag, FromEveryStartUsesEveryDirectedPairOnceAndEndsOpposite)
{
    for (const std::size_t n : {2U, 4U, 6U, 8U}) {
        Pairs used;
        for (std::size_t start = 0; start < n; ++start) {
            const auto order = zigzag(start, n);
            EXPECT_EQ(order.back(), (start + n / 2) % n);
            for (std::size_t i = 0; i + 1 < n; ++i) {
                EXPECT_TRUE(used.emplace(order[i], order[i + 1]).second);
            }
        }
        EXPECT_EQ(used.size(), n * (n - 1));
    }
}

/// Eight GPUs with a link of 64 GB/s to each other.
spec::ClusterSpec mesh(int nodes, int nics)
{
    auto cluster = test::round_cluster(nodes);
    cluster.node.nvlink.bandwidth = 448_GBps;
    cluster.node.scale_up = spec::XgmiSpec{};
    cluster.node.nics = nics;
    cluster.node.nic_of_gpu = spec::spread_evenly(8, nics);
    return cluster;
}

TEST(MeshRings, OfOneNodeUseSixOfSevenLinks)
{
    const test::Machine machine{mesh(1, 8)};
    const auto plan = machine.plan(Kind::all_reduce, 6_GB, test::every(1, 0, 8));
    EXPECT_EQ(plan.channels, 6U);
    const double moved = 1.75 * 6e9 / (6 * 64e9);
    EXPECT_NEAR(plan.lower_bound.base(), moved, 0.001 * moved);
}

TEST(SearchedRings, TakeThreeCyclesBothWaysOutOfAHybridCubeMesh)
{
    // Six links a GPU are three cycles; 150 GB/s a GPU in six rings of 25 GB/s.
    auto cluster = test::round_cluster(1);
    cluster.node.nvlink.bandwidth = 150_GBps;
    cluster.node.scale_up = spec::Dgx1Spec{};
    const test::Machine machine{cluster};
    const auto members = test::every(1, 0, 8);
    auto joins = joins_of(machine.fabric(), members);
    const auto rings = searched_rings(joins);
    EXPECT_EQ(rings.size(), 6U);
    for (const auto& ring : rings) {
        EXPECT_EQ(std::set<std::size_t>(ring.begin(), ring.end()).size(), 8U);
        for (std::size_t i = 0; i < ring.size(); ++i) {
            EXPECT_GE(--joins[ring[i]][ring[(i + 1) % ring.size()]], 0);
        }
    }
    const auto plan = machine.plan(Kind::all_reduce, 6_GB, members);
    const double moved = 1.75 * 6e9 / 150e9;
    EXPECT_NEAR(plan.lower_bound.base(), moved, 0.001 * moved);
}

TEST(SearchedRings, AreNoneWhereNobodyCanGoRound)
{
    // Two pairs; a line of three; a GPU alone behind a switch.
    EXPECT_TRUE(searched_rings({{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}}).empty());
    EXPECT_TRUE(searched_rings({{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}).empty());
    EXPECT_TRUE(searched_rings({{0}}).empty());
    EXPECT_EQ(searched_rings({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}).size(), 2U);
}

TEST(MeshRings, OverNodesAreBoundByTheirNicsNotByOneLinkInTheNode)
{
    // Eight rings of an eighth each, every link of 64 GB/s in one of them: the NIC's 50 GB/s bind.
    // With four NICs, four rings of a quarter.
    for (const int nics : {8, 4}) {
        const test::Machine machine{mesh(3, nics)};
        const auto plan =
            machine.plan(Kind::all_reduce, 8_GB, test::every(3, 0, 8), Algorithm::ring);
        EXPECT_EQ(plan.channels, static_cast<std::size_t>(nics));
        EXPECT_EQ(machine.link(plan.binding_link).kind, fabric::LinkKind::nic);
        const double moved = 2.0 * 23 / 24 * 8e9 / (nics * 50e9);
        EXPECT_NEAR(plan.lower_bound.base(), moved, 0.01 * moved);
    }
}

TEST(MeshRings, AHierarchyUsesThemInsideItsNodes)
{
    const test::Machine machine{mesh(2, 8)};
    const auto plan =
        machine.plan(Kind::all_reduce, 6_GB, test::every(2, 0, 8), Algorithm::hierarchical);
    EXPECT_EQ(plan.phases[0].flows.size(), 12U);
    // 7/8 of S over six links, twice, and an eighth over a NIC's 50 GB/s.
    const double moved = 2 * 0.875 * 6e9 / (6 * 64e9) + 6e9 / 8 / 50e9;
    EXPECT_NEAR(plan.lower_bound.base(), moved, 0.01 * moved);
}

}  // namespace
}  // namespace sim::collective

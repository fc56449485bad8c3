#include <gtest/gtest.h>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;

/// U16: two leaves of one node with two NICs each, joined by two spines with a cable of NIC rate.
spec::ClusterSpec two_equal_paths(spec::Routing routing, int connections)
{
    auto cluster = test::round_cluster(2);
    cluster.node.gpus = 2;
    cluster.node.nics = 2;
    cluster.node.nic_of_gpu = {0, 1};
    auto& network = test::leaf_spine(cluster);
    network.nodes_per_leaf = 1;
    network.spines = 2;
    cluster.fabric.routing = routing;
    cluster.fabric.connections = connections;
    return cluster;
}

/// Seconds that a member's 1 GB to its peer on the other node takes, both members at once.
double exchange_time(const spec::ClusterSpec& cluster, std::uint64_t seed)
{
    const auto fabric = fabric::build(cluster);
    const fabric::Router router{fabric, cluster.fabric, seed};
    const Planner planner{fabric, router, cluster};
    const std::vector<GpuId> members{GpuId{0}, GpuId{1}, GpuId{2}, GpuId{3}};
    // From 0 to 2 and from 1 to 3.
    std::vector<double> parts(16, 0.0);
    parts[0 * 4 + 2] = 1e9;
    parts[1 * 4 + 3] = 1e9;
    Request request{.kind = Kind::all_to_all, .size = 1_GB, .members = members};
    request.parts = parts;
    return planner.plan(request).lower_bound.base();
}

TEST(Spreading, TwoHashedFlowsOnTwoEqualPathsMeetInHalfOfTheCasesAndThenEachGetsHalf)
{
    const auto cluster = two_equal_paths(spec::Routing::ecmp, 1);
    const double alone = 1e9 / 50e9;
    int met = 0;
    constexpr int kSeeds = 400;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const double time = exchange_time(cluster, seed);
        const bool meet = time > 1.5 * alone;
        EXPECT_NEAR(time, meet ? 2 * alone : alone, 0.01 * alone);
        met += meet ? 1 : 0;
    }
    // 200 of 400 with a standard deviation of 10.
    EXPECT_NEAR(met, kSeeds / 2, 40);
}

TEST(Spreading, FasterLinksHelpOnlyFlowsThatSpread)
{
    // The mean over seeds is 1.5 x the time alone however fast the links; even spreading has 1.
    for (const auto rate : {400_Gbps, 800_Gbps}) {
        auto hashed = two_equal_paths(spec::Routing::ecmp, 1);
        auto even = two_equal_paths(spec::Routing::even, 1);
        hashed.node.nic.bandwidth = rate;
        even.node.nic.bandwidth = rate;
        const double alone = 1e9 / rate.base();
        EXPECT_NEAR(exchange_time(even, 0), alone, 0.01 * alone);
        double sum = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            sum += exchange_time(hashed, seed);
        }
        EXPECT_NEAR(sum / 400, 1.5 * alone, 0.1 * alone);
    }
}

TEST(Spreading, SplittingOverConnectionsComesNearerToEvenSpreading)
{
    // 2c connections, each on either path: the fuller one has 1 + C(2c, c) / 4^c times its part on
    // average, 1.5 at c = 1 and 1 + 12870 / 65536 at c = 8.
    const auto mean = [](int connections) {
        double sum = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            sum += exchange_time(two_equal_paths(spec::Routing::ecmp, connections), seed);
        }
        return sum / 200 / (1e9 / 50e9);
    };
    EXPECT_NEAR(mean(8), 1.20, 0.04);
}

TEST(SmallGroups, OneRankOrNoBytesAreEmptyAndTwoRanksAndThreeBytesAreNot)
{
    const test::Machine machine{test::round_cluster(1)};
    EXPECT_TRUE(machine.plan(Kind::all_reduce, 1_GB, test::every(1, 0, 1)).phases.empty());
    EXPECT_TRUE(machine.plan(Kind::all_reduce, 0_B, test::every(1, 0, 8)).phases.empty());
    // n = 2: two steps of half of S.
    const auto two = machine.plan(Kind::all_reduce, 1_GB, test::every(1, 0, 2));
    EXPECT_NEAR(two.lower_bound.base(), 2 * (1e-6 + 0.5e9 / 400e9), 1e-12);
    // Three bytes over eight ranks: 14 steps of three eighths of a byte.
    const auto three = machine.plan(Kind::all_reduce, 3_B, test::every(1, 0, 8));
    EXPECT_NEAR(three.lower_bound.base(), 14 * (1e-6 + 0.375 / 400e9), 1e-15);
}

}  // namespace
}  // namespace sim::collective

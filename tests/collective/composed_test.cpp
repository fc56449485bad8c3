#include <gtest/gtest.h>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;

Schedule plan(const test::Machine& machine, Kind kind, Bytes size,
              const std::vector<GpuId>& members, Algorithm algorithm)
{
    return machine.planner().plan(
        {.kind = kind, .size = size, .members = members, .algorithm = algorithm, .hops = true});
}

TEST(Hierarchical, OfThreeLevelsStaysUnderTheLeafInItsSecondPhaseAndItsFourth)
{
    // Two nodes to a leaf, two leaves.
    const test::Machine machine{test::round_cluster(4)};
    const auto members = test::every(4, 0, 8);
    const auto schedule = plan(machine, Kind::all_reduce, 1_GB, members, Algorithm::hierarchical_3);
    ASSERT_EQ(schedule.phases.size(), 5U);
    for (const std::size_t phase : {1U, 3U}) {
        for (const auto& flow : schedule.phases[phase].flows) {
            const auto from = machine.fabric().node_of_gpu[flow.hops[0].from.index()].index();
            const auto to = machine.fabric().node_of_gpu[flow.hops[0].to.index()].index();
            EXPECT_EQ(from / 2, to / 2);
        }
    }
}

TEST(Hierarchical, SaysWhichLevelAGroupLacks)
{
    const auto why = [](const std::vector<GpuId>& members, Algorithm algorithm) {
        const test::Machine machine{test::round_cluster(4)};
        try {
            static_cast<void>(machine.plan(Kind::all_reduce, 1_MB, members, algorithm));
        } catch (const InputError& error) {
            return error.diagnostics().front().message;
        }
        return std::string{};
    };
    EXPECT_EQ(why(test::every(1, 0, 8), Algorithm::hierarchical),
              "hierarchical needs a group on several nodes");
    EXPECT_EQ(why(test::one_a_node(4, 0), Algorithm::hierarchical_tree),
              "hierarchical_tree needs two members or more on every node");
    EXPECT_EQ(why(test::every(2, 0, 8), Algorithm::hierarchical_3),
              "hierarchical_3 needs several leaves with several nodes each, not 1 with 2");
    EXPECT_EQ(why(test::every(3, 0, 8), Algorithm::hierarchical_3),
              "hierarchical_3 needs equally many nodes on every leaf, but one has 2 and one 1");
}

/// 4 x 2 switches with a node of eight GPUs each; the sides' cables are as fast as a NIC.
spec::ClusterSpec small_torus()
{
    auto cluster = test::round_cluster(8);
    auto& torus = cluster.fabric.network.emplace<spec::TorusSpec>();
    torus.sides = {4, 2};
    torus.device = {.name = "switch", .capacity = 51.2_Tbps, .max_ports = 128, .latency = 0.125_us};
    return cluster;
}

TEST(TorusRings, KeepTheCablesOfBothSidesBusyAllTheTime)
{
    // One GPU a node, S = 800 MB in two halves. Along the side of 4, 3/4 of a half: 300 MB; along
    // that of 2, half of a quarter of the half, beside the other half's 200 and 3/4 of 200 MB. A
    // NIC of 50 GB/s carries both halves: 300 + 200, then 50 + 150 MB, and the same back.
    const test::Machine machine{small_torus()};
    const auto schedule =
        plan(machine, Kind::all_reduce, 800_MB, test::one_a_node(8, 0), Algorithm::torus);
    const double moved = 2 * (500e6 + 200e6) / 50e9;
    EXPECT_NEAR(schedule.lower_bound.base(), moved, 0.01 * moved);
}

TEST(TorusRings, SayWhyAGroupHasNoSides)
{
    const auto why = [](const spec::ClusterSpec& cluster, const std::vector<GpuId>& members) {
        const test::Machine machine{cluster};
        try {
            static_cast<void>(machine.plan(Kind::all_reduce, 1_MB, members, Algorithm::torus));
        } catch (const InputError& error) {
            return error.diagnostics().front().message;
        }
        return std::string{};
    };
    EXPECT_EQ(why(test::round_cluster(4), test::every(4, 0, 8)),
              "torus needs a torus, but the network is a leaf_spine");
    EXPECT_EQ(why(small_torus(), test::every(6, 0, 8)),
              "torus needs members on every node of the torus, but 2 of 8 have none");
}

TEST(AllToAll, OverRailsTakesWhatTheNodeAndThenTheRailsTake)
{
    const test::Machine machine{test::round_cluster(3)};
    const auto members = test::every(3, 0, 4);
    const auto schedule = plan(machine, Kind::all_to_all, 12_MB, members, Algorithm::hierarchical);
    // 3 nodes' chunks of 1 MB to each of 3 neighbours at 400 GB/s; 4 chunks to each of 2 nodes.
    EXPECT_NEAR(schedule.lower_bound.base(), 9e6 / 400e9 + 8e6 / 50e9, 0.05 * 1.8e-4);
}

TEST(AllToAll, UnevenPartsBindAtTheMemberThatSendsMost)
{
    // Three GPUs of a node: 0 sends 300 MB to 1 and 100 MB to 2, the others 10 MB to each.
    const test::Machine machine{test::round_cluster(1)};
    const std::vector<double> parts{0, 300e6, 100e6, 10e6, 0, 10e6, 10e6, 10e6, 0};
    const auto members = test::every(1, 0, 3);
    Request request{.kind = Kind::all_to_all, .size = 400_MB, .members = members};
    request.parts = parts;
    const auto schedule = machine.planner().plan(request);
    EXPECT_NEAR(schedule.lower_bound.base(), 1e-6 + 400e6 / 400e9, 1e-9);
}

TEST(AllToAll, OfAVeryLargeGroupSendsInStepNodeByNodeAndTakesAsLong)
{
    // 66 nodes of 8 are 528 members, more than are simulated each alone. 65/66 of S leave by its
    // NIC.
    const test::Machine machine{test::round_cluster(66)};
    const auto schedule = machine.plan(Kind::all_to_all, 1_GB, test::every(66, 0, 8));
    EXPECT_EQ(schedule.phases.front().flows.size(), 2 * 66U);
    const double moved = 1e9 * 65 / 66 / 50e9;
    EXPECT_NEAR(schedule.lower_bound.base(), moved, 0.01 * moved);
    double sent = 0;
    for (const auto& flow : schedule.phases.front().flows) {
        sent += flow.amount;
    }
    EXPECT_NEAR(sent, 528 * (1e9 * 527 / 528), 1);
}

TEST(AllToAll, AMemberThatSendsNothingMakesNoFlow)
{
    const test::Machine machine{test::round_cluster(1)};
    const std::vector<double> parts{0, 0, 400e6, 0};
    const auto members = test::every(1, 0, 2);
    Request request{.kind = Kind::all_to_all, .size = 400_MB, .members = members};
    request.parts = parts;
    const auto schedule = machine.planner().plan(request);
    EXPECT_EQ(schedule.phases.front().flows.size(), 1U);
}

}  // namespace
}  // namespace sim::collective

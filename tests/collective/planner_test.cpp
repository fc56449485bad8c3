#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "collective/machine.hpp"
#include "core/diagnostics.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;
using test::every;
using test::Machine;
using test::round_cluster;

constexpr auto kPayload = 17'650_MB;  // 2 bytes * 70.6e9 parameters / 8: 17.65 GB

TEST(Planner, ARingInsideANodeTakesItsClosedForm)
{
    const Machine machine{round_cluster(1)};
    for (const int n : {2, 3, 8}) {
        const auto members = every(1, 0, n);
        const auto plan = machine.plan(Kind::all_reduce, 1_GB, members);
        // 2 (n-1)/n S / B + 2 (n-1) latency with B = 400 GB/s and 1 us a hop.
        const double expected = 2.0 * (n - 1) / n * 1e9 / 400e9 + 2 * (n - 1) * 1e-6;
        EXPECT_NEAR(plan.lower_bound.base() / expected, 1, 1e-12) << n;
        EXPECT_EQ(plan.algorithm, Algorithm::ring);
        EXPECT_EQ(machine.link(plan.binding_link).kind, fabric::LinkKind::nvlink);
    }
}

TEST(Planner, GatherAndScatterMoveHalfOfAnAllReduceInHalfTheSteps)
{
    const Machine machine{round_cluster(1)};
    const auto members = every(1, 0, 8);
    for (const auto kind : {Kind::all_gather, Kind::reduce_scatter}) {
        const auto plan = machine.plan(kind, 1_GB, members);
        EXPECT_NEAR(plan.lower_bound.base() / (0.875 * 1e9 / 400e9 + 7e-6), 1, 1e-12);
    }
}

TEST(Planner, AnAllReduceOf17GBOverSixteenNodesTakesWhatTheNicAllows)
{
    // User case U19: 2 * 15/16 * 17.65 GB = 33.1 GB a NIC.
    auto cluster = round_cluster(16);
    const auto seconds = [&] {
        const Machine machine{cluster};
        const auto plan = machine.plan(Kind::all_reduce, kPayload, test::one_a_node(16, 3));
        return plan.lower_bound.base() - 30 * 4.375e-6;  // 30 steps of the longest hop
    };
    EXPECT_NEAR(seconds(), 33.09375e9 / 50e9, 1e-9);
    cluster.node.nic.bandwidth = 800_Gbps;
    test::leaf_spine(cluster).leaf.capacity = 102.4_Tbps;
    EXPECT_NEAR(seconds(), 33.09375e9 / 100e9, 1e-9);
    // Behind Gen5 x16 the slot's 63.0 GB/s times its efficiency binds: 55 to 63 GB/s.
    cluster.node.pcie.generation = 5;
    EXPECT_NEAR(seconds(), 33.09375e9 / 63.0154e9, 1e-5);
    EXPECT_GT(seconds(), 0.52);
    cluster.node.pcie.efficiency = 0.88;
    EXPECT_LT(seconds(), 0.60);
}

TEST(Planner, WithOneRankANodeTheNicIsTheBound)
{
    const Machine machine{round_cluster(4)};
    const auto plan = machine.plan(Kind::all_reduce, 1_GB, test::one_a_node(4, 0));
    ASSERT_EQ(plan.phases.size(), 1U);
    ASSERT_EQ(plan.phases[0].flows.size(), 1U);
    // Bus bandwidth: 2 (n-1)/n S / t is at most the NIC's rate.
    EXPECT_LE(1.5e9 / plan.lower_bound.base(), 50e9);
}

TEST(Planner, TensorTrafficCrossesNoNic)
{
    const Machine machine{round_cluster(4)};
    const auto plan = machine.plan(Kind::all_reduce, 1_GB, every(1, 0, 8));
    for (const auto& use : plan.phases.at(0).flows.at(0).links) {
        EXPECT_EQ(machine.link(use.link).kind, fabric::LinkKind::nvlink);
        EXPECT_EQ(use.consumption, 1.0);
    }
    // Every GPU's way up and way down.
    EXPECT_EQ(plan.phases[0].flows[0].links.size(), 16U);
}

TEST(Planner, ARingOverWholeNodesUsesEveryNicOnceEachWay)
{
    for (const auto& cluster : {round_cluster(4), test::shared_nic_cluster(4)}) {
        const Machine machine{cluster};
        const auto members = every(4, 0, 8);
        const auto plan = machine.plan(Kind::all_reduce, 8_GB, members, Algorithm::ring);
        const auto nics = static_cast<std::size_t>(cluster.node.nics);
        ASSERT_EQ(plan.phases.at(0).flows.size(), nics);
        for (const auto& flow : plan.phases[0].flows) {
            EXPECT_DOUBLE_EQ(flow.amount, 2.0 * 31 / 32 * 8e9 / static_cast<double>(nics));
        }
        // Each of the NICs carries one ring out and one in.
        const auto carried = machine.bytes_by_link(plan.phases[0]);
        for (std::size_t i = 0; i < machine.links(); ++i) {
            if (machine.link(LinkId{i}).kind == fabric::LinkKind::nic) {
                EXPECT_DOUBLE_EQ(carried[i], 2.0 * 31 / 32 * 8e9 / static_cast<double>(nics));
            }
        }
    }
}

TEST(Planner, EightGroupsOfOneRankANodeShareFourNicsInPairs)
{
    const Machine machine{test::shared_nic_cluster(2)};
    Phase together;
    for (int gpu = 0; gpu < 8; ++gpu) {
        const auto plan = machine.plan(Kind::all_reduce, 1_GB, test::one_a_node(2, gpu));
        together.flows.push_back(plan.phases.at(0).flows.at(0));
    }
    const auto carried = machine.bytes_by_link(together);
    for (std::size_t i = 0; i < machine.links(); ++i) {
        if (machine.link(LinkId{i}).kind == fabric::LinkKind::nic) {
            EXPECT_DOUBLE_EQ(carried[i], 2e9);  // two rings of 2 * 1/2 * 1 GB
        }
    }
}

TEST(Planner, AHierarchyScattersInsideReducesOverRailsAndGathersInside)
{
    const Machine machine{round_cluster(4)};
    const auto members = every(4, 0, 8);
    const auto plan = machine.plan(Kind::all_reduce, 8_GB, members, Algorithm::hierarchical);
    ASSERT_EQ(plan.phases.size(), 3U);
    EXPECT_EQ(plan.phases[0].flows.size(), 4U);
    EXPECT_EQ(plan.phases[1].flows.size(), 8U);
    EXPECT_EQ(plan.phases[2].flows.size(), 4U);
    // Inside: 7/8 * 8 GB at 400 GB/s and 7 hops of 1 us, twice. Rails: 2 * 3/4 * 1 GB at 50 GB/s
    // and 6 hops of 4.375 us.
    const double expected = 2 * (7e9 / 400e9 + 7e-6) + 1.5e9 / 50e9 + 6 * 4.375e-6;
    EXPECT_NEAR(plan.lower_bound.base() / expected, 1, 1e-12);
    EXPECT_EQ(machine.link(plan.binding_link).kind, fabric::LinkKind::nic);
}

TEST(Planner, HalfAHierarchyHasTwoPhases)
{
    const Machine machine{round_cluster(4)};
    const auto members = every(4, 0, 8);
    const double expected = 7e9 / 400e9 + 7e-6 + 0.75e9 / 50e9 + 3 * 4.375e-6;
    for (const auto kind : {Kind::all_gather, Kind::reduce_scatter}) {
        const auto plan = machine.plan(kind, 8_GB, members, Algorithm::hierarchical);
        ASSERT_EQ(plan.phases.size(), 2U);
        const bool rails_first = plan.phases[0].flows.size() == 8;
        EXPECT_EQ(rails_first, kind == Kind::all_gather);
        EXPECT_NEAR(plan.lower_bound.base() / expected, 1, 1e-12);
    }
}

TEST(Planner, AutomaticTakesTheFasterOfRingAndHierarchy)
{
    const Machine machine{round_cluster(4)};
    const auto members = every(4, 0, 8);
    // Few steps win while latency counts: 20 against 62. One pipelined ring per NIC wins on bytes.
    EXPECT_EQ(machine.plan(Kind::all_reduce, 1_kB, members).algorithm, Algorithm::hierarchical);
    EXPECT_EQ(machine.plan(Kind::all_reduce, 8_GB, members).algorithm, Algorithm::ring);
}

TEST(Planner, AHierarchyOfUnequalNodesIsRefusedAndAutomaticTakesARing)
{
    const Machine machine{round_cluster(2)};
    const std::vector<GpuId> members{GpuId{0}, GpuId{1}, GpuId{2}, GpuId{8}, GpuId{9}};
    EXPECT_EQ(machine.plan(Kind::all_reduce, 1_kB, members).algorithm, Algorithm::ring);
    try {
        (void)machine.plan(Kind::all_reduce, 1_kB, members, Algorithm::hierarchical);
        FAIL() << "planned a hierarchy over 3 and 2 members";
    } catch (const InputError& error) {
        EXPECT_EQ(
            error.diagnostics().at(0).message,
            "hierarchical needs equally many members on every node, but node0 has 3 and node1 "
            "has 2");
        EXPECT_EQ(error.diagnostics().at(0).hint,
                  "write auto: the fastest that the machine can run");
    }
}

TEST(Planner, ASendPaysItsLatencyOnce)
{
    // User case U50: the receiver is done after size / bandwidth + latency.
    auto cluster = round_cluster(2);
    cluster.fabric.cable_latency = 0.5_ms;
    const Machine machine{cluster};
    const auto plan = machine.plan(Kind::send_recv, 1_GB, test::one_a_node(2, 0));
    // 1 GB at 50 GB/s; 2 cables of 0.5 ms, 4 * 0.25 us, 1 us and 0.125 us.
    EXPECT_NEAR(plan.lower_bound.base(), 0.020 + 1e-3 + 2.125e-6, 1e-15);
}

TEST(Planner, NothingToMoveOrNobodyToMoveItToIsAnEmptySchedule)
{
    const Machine machine{round_cluster(2)};
    for (const auto kind :
         {Kind::all_reduce, Kind::all_gather, Kind::reduce_scatter, Kind::send_recv}) {
        const auto alone = machine.plan(kind, 1_GB, every(1, 0, 1));
        EXPECT_TRUE(alone.phases.empty());
        EXPECT_EQ(alone.lower_bound, Time{});
        EXPECT_TRUE(machine.plan(kind, 0_B, every(1, 0, 2)).phases.empty());
    }
}

TEST(Planner, ASizeBelowTheMemberCountMovesPartsOfAByte)
{
    const Machine machine{round_cluster(1)};
    const auto plan = machine.plan(Kind::all_reduce, 4_B, every(1, 0, 8));
    EXPECT_DOUBLE_EQ(plan.phases.at(0).flows.at(0).amount, 7.0);  // 2 * 7/8 * 4
    EXPECT_DOUBLE_EQ(plan.phases[0].flows[0].latency.base(), 14e-6);
}

TEST(Planner, EveryMembersMemoryCarriesTheCountedTraffic)
{
    const Machine machine{round_cluster(2)};
    const auto inside =
        machine.plan(Kind::all_reduce, 1_GB, every(1, 0, 8)).phases.at(0).flows.at(0);
    ASSERT_EQ(inside.memories.size(), 8U);
    EXPECT_EQ(inside.share, 1);
    for (const auto& use : inside.memories) {
        EXPECT_DOUBLE_EQ(use.consumption, 3 + 1.0 / 7);
    }
    const auto across = machine.plan(Kind::reduce_scatter, 1_GB, test::one_a_node(2, 0));
    for (const auto& use : across.phases.at(0).flows.at(0).memories) {
        EXPECT_DOUBLE_EQ(use.consumption, 3 + 2.0 + 2);
    }
}

TEST(Planner, AFlowsShareIsTheConnectionsItsNicsOpen)
{
    auto cluster = round_cluster(2);
    cluster.fabric.connections = 4;
    const Machine machine{cluster};
    const auto across = machine.plan(Kind::all_reduce, 1_GB, test::one_a_node(2, 0));
    EXPECT_EQ(across.phases.at(0).flows.at(0).share, 4);
}

TEST(Planner, LinksOfAFlowAreSortedAndEachThereOnce)
{
    const Machine machine{round_cluster(4)};
    const auto plan = machine.plan(Kind::all_gather, 1_GB, every(4, 0, 8), Algorithm::ring);
    for (const auto& flow : plan.phases.at(0).flows) {
        const auto later = [](const LinkUse& a, const LinkUse& b) { return a.link >= b.link; };
        EXPECT_EQ(std::adjacent_find(flow.links.begin(), flow.links.end(), later),
                  flow.links.end());
    }
}

}  // namespace
}  // namespace sim::collective

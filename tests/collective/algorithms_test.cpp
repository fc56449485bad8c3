#include <gtest/gtest.h>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;

double bytes(Bytes size) { return static_cast<double>(size.base()); }

/// Eight GPUs on one switch of 50 GB/s each, 10 ns a hop: astra-sim issue 296.
spec::ClusterSpec one_switch()
{
    auto cluster = test::round_cluster(1);
    cluster.node.nvlink = {.bandwidth = 50_GBps, .efficiency = 1, .latency = 10_ns};
    return cluster;
}

TEST(Algorithms, DirectAndRingTakeTheSameTimeOnASwitchThatCutsThrough)
{
    // U46: 100 MB, 8 members. Both send 2 x 7/8 S a member: 3.50 ms at 50 GB/s.
    const test::Machine machine{one_switch()};
    const auto members = test::every(1, 0, 8);
    for (const auto algorithm : {Algorithm::direct, Algorithm::ring, Algorithm::halving_doubling,
                                 Algorithm::bruck, Algorithm::pat}) {
        const auto plan = machine.plan(Kind::all_reduce, 100_MB, members, algorithm);
        EXPECT_NEAR(plan.lower_bound.base(), 3.50e-3, 0.02 * 3.50e-3);
    }
}

TEST(Algorithms, HalvingAndDoublingTakesTwiceTheLogarithmInPhases)
{
    const test::Machine machine{one_switch()};
    const auto plan =
        machine.plan(Kind::all_reduce, 800_MB, test::every(1, 0, 8), Algorithm::halving_doubling);
    // 4/8, 2/8, 1/8 of S out of each member, and back: 2 (3 a + 7/8 S / B).
    EXPECT_EQ(plan.phases.size(), 6U);
    EXPECT_NEAR(plan.lower_bound.base(), 6 * 10e-9 + 2 * 0.875 * 800e6 / 50e9, 1e-12);
}

TEST(Algorithms, HalvingAndDoublingNeedsAPowerOfTwo)
{
    const test::Machine machine{one_switch()};
    EXPECT_THROW(static_cast<void>(machine.plan(Kind::all_reduce, 1_MB, test::every(1, 0, 6),
                                                Algorithm::halving_doubling)),
                 InputError);
}

TEST(Algorithms, AllToAllOverTwoNodesSendsHalfOfTheBufferThroughTheNics)
{
    // U10: 16 GPUs, a 25 GB/s NIC each: busbw = 15/16 S / (S/2 / 25) = 46.9 GB/s at most.
    auto cluster = test::round_cluster(2);
    cluster.node.nic.bandwidth = 200_Gbps;
    const test::Machine machine{cluster};
    const auto plan = machine.plan(Kind::all_to_all, 16_GiB, test::every(2, 0, 8));
    const double busbw = bytes(16_GiB) * 15 / 16 / plan.lower_bound.base();
    EXPECT_NEAR(busbw, 46.9e9, 0.1e9);
    EXPECT_EQ(machine.link(plan.binding_link).kind, fabric::LinkKind::nic);
}

TEST(Algorithms, ABroadcastSendsTheBufferThroughEveryNodesNicsOnce)
{
    const test::Machine machine{test::round_cluster(4)};
    const auto plan = machine.plan(Kind::broadcast, 8_GB, test::every(4, 0, 8));
    // 8 rings of 1 GB each over a 50 GB/s NIC.
    EXPECT_NEAR(plan.lower_bound.base(), 1e9 / 50e9, 0.01 * 1e9 / 50e9);
    const auto reduce = machine.plan(Kind::reduce, 8_GB, test::every(4, 0, 8));
    EXPECT_NEAR(reduce.lower_bound.base(), plan.lower_bound.base(), 1e-9);
}

TEST(Algorithms, ANodeWithHalfItsGpusHasHalfItsNics)
{
    // U12: four nodes, 12.5 GB/s a NIC: rings of 4 and 8 GPUs a node are bound by 50 and 100 GB/s.
    auto cluster = test::round_cluster(4);
    cluster.node.nic.bandwidth = 100_Gbps;
    const test::Machine machine{cluster};
    for (const int gpus : {4, 8}) {
        const auto plan =
            machine.plan(Kind::all_reduce, 8_GB, test::every(4, 0, gpus), Algorithm::ring);
        const double n = 4.0 * gpus;
        const double busbw = 8e9 * 2 * (n - 1) / n / plan.lower_bound.base();
        EXPECT_NEAR(busbw, 12.5e9 * gpus, 0.01 * 12.5e9 * gpus);
    }
}

TEST(Algorithms, OneGpuANodeHasItsOwnNicAlone)
{
    // U03: four NICs of 50 GB/s would be allowed, one is reachable.
    const test::Machine machine{test::round_cluster(2)};
    const auto plan = machine.plan(Kind::all_reduce, 8_GB, test::one_a_node(2, 0));
    EXPECT_NEAR(8e9 / plan.lower_bound.base(), 50e9, 0.5e9);
}

TEST(Algorithms, OneNicForANodeHoldsTheWholeGroupToIt)
{
    // U01: 16 ranks, one NIC of 25 GB/s a node; busbw is that of the NIC, which binds.
    auto cluster = test::round_cluster(2);
    cluster.node.nics = 1;
    cluster.node.nic_of_gpu = std::vector<int>(8, 0);
    cluster.node.nic.bandwidth = 200_Gbps;
    const test::Machine machine{cluster};
    const auto plan = machine.plan(Kind::all_reduce, 8_GB, test::every(2, 0, 8), Algorithm::ring);
    EXPECT_NEAR(8e9 * 1.875 / plan.lower_bound.base(), 25e9, 0.25e9);
    EXPECT_EQ(machine.link(plan.binding_link).kind, fabric::LinkKind::nic);
}

TEST(Algorithms, ParallelSwitchesOfTheSameTotalGiveTheSameBandwidth)
{
    // U54: one switch, or four planes that share the traffic of a GPU.
    auto cluster = test::round_cluster(1);
    cluster.node.nvlink.bandwidth = 450_GBps;
    const test::Machine one{cluster};
    cluster.node.scale_up = spec::HgxSpec{.planes = 4};
    const test::Machine four{cluster};
    const auto members = test::every(1, 0, 8);
    const auto a = one.plan(Kind::all_reduce, 1_GB, members).lower_bound;
    const auto b = four.plan(Kind::all_reduce, 1_GB, members).lower_bound;
    EXPECT_NEAR(b / a, 1, 0.02);
}

TEST(Algorithms, FourNodesAreBoundByNicsAndTwoMayBeFaster)
{
    // U08: NVLink speed does not change the ring of four nodes, NIC speed does.
    auto cluster = test::round_cluster(4);
    const auto time = [&] {
        const test::Machine machine{cluster};
        return machine.plan(Kind::all_reduce, 4_GB, test::every(4, 0, 8)).lower_bound.base();
    };
    const double base = time();
    cluster.node.nvlink.bandwidth = 800_GBps;
    EXPECT_NEAR(time(), base, 0.001 * base);
    cluster.node.nic.bandwidth = 800_Gbps;
    EXPECT_NEAR(time(), base / 2, 0.01 * base);
}

TEST(Algorithms, AnyLinkSpeedWorksWithoutATableOfItsOwn)
{
    // U56: 10 GB from node to node; a Gen7 slot (242 GB/s) binds none of these.
    for (const auto rate : {1_Gbps, 13_Gbps, 100_Gbps, 400_Gbps, 800_Gbps, 1600_Gbps}) {
        auto cluster = test::round_cluster(2);
        cluster.node.nic.bandwidth = rate;
        const test::Machine machine{cluster};
        const auto plan = machine.plan(Kind::send_recv, 10_GB, test::one_a_node(2, 0));
        EXPECT_NEAR(plan.lower_bound.base(), 10e9 / rate.base(), 1e-5);
    }
}

TEST(Algorithms, ManyHostsCostMoreThanFew)
{
    // U60: over 10 hosts nothing became free. A ring of n sends 2 (n-1)/n S by every NIC.
    for (const int nodes : {2, 10, 11, 12, 25}) {
        const test::Machine machine{test::round_cluster(nodes)};
        const auto plan =
            machine.plan(Kind::all_reduce, 10_GB, test::one_a_node(nodes, 0), Algorithm::ring);
        const double moved = 2.0 * (nodes - 1) / nodes * 10e9 / 50e9;
        EXPECT_NEAR(plan.lower_bound.base(), moved, 0.001 * moved) << nodes;
    }
}

}  // namespace
}  // namespace sim::collective

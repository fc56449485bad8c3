#include "collective/tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;
using spec::Protocol;

/// Round numbers: no ramp, no fill, so that only hops and wires count.
spec::CollectiveTuning plain()
{
    spec::CollectiveTuning tuning;
    tuning.base = 5_us;
    tuning.ll = {.base = 0_us, .nvlink_hop = 1_us, .network_hop = 0_us, .share = 0.5};
    tuning.simple = {.base = 5_us, .nvlink_hop = 4_us, .network_hop = 8_us, .share = 1};
    tuning.ll_ramp.full = 1_KiB;
    tuning.transport = {.name = "T", .latency = 6_us};
    return tuning;
}

GroupShape group(std::size_t ranks, std::size_t nodes)
{
    return {ranks, nodes, ranks / nodes, 400_GBps, 400_GBps};
}

spec::ClusterSpec tuned_cluster(int nodes, const spec::CollectiveTuning& tuning)
{
    auto cluster = test::round_cluster(nodes);
    cluster.collective.tuning = tuning;
    return cluster;
}

TEST(Tuning, ARingInOneNodePaysTheBaseAndOneHopAStep)
{
    // 8 members: 14 steps of 1 us after 5 us.
    const auto cost =
        protocol_cost(plain(), group(8, 1), Kind::all_reduce, Algorithm::ring, Protocol::ll, 8);
    EXPECT_NEAR(cost->latency.base(), (19_us).base(), 1e-15);
}

TEST(Tuning, ARingOverNodesPaysTheTransportOnceANodeAndRound)
{
    // 16 members on 2 nodes: 30 steps, 2 of them over the network at 6 + 8 us, 28 at 4 us.
    const auto cost = protocol_cost(plain(), group(16, 2), Kind::all_reduce, Algorithm::ring,
                                    Protocol::simple, 8);
    EXPECT_NEAR(cost->latency.base(), (150_us).base(), 1e-15);
}

TEST(Tuning, ATreePaysTheChainAndTheLevelsTwice)
{
    // 4 nodes of 8: 2 (7 x 1 us + 2 x 6 us) after 5 us.
    const auto cost =
        protocol_cost(plain(), group(32, 4), Kind::all_reduce, Algorithm::tree, Protocol::ll, 8);
    EXPECT_NEAR(cost->latency.base(), (43_us).base(), 1e-15);
}

TEST(Tuning, SmallMessagesGoByLlAndLargeOnesBySimple)
{
    const test::Machine machine{tuned_cluster(1, plain())};
    const auto small = machine.plan(Kind::all_reduce, 8_KiB, test::every(1, 0, 8));
    EXPECT_EQ(small.protocol, Protocol::ll);
    const auto large = machine.plan(Kind::all_reduce, 1_GiB, test::every(1, 0, 8));
    EXPECT_EQ(large.protocol, Protocol::simple);
    // 10 + 14 x 4 us, and 2 x 7/8 GiB at 400 GB/s.
    const double wires = 1.75 * static_cast<double>((1_GiB).base()) / 400e9;
    EXPECT_NEAR(large.lower_bound.base(), 66e-6 + wires, 1e-12);
}

TEST(Tuning, TheChoiceIsTheFastestOfAll)
{
    const test::Machine machine{tuned_cluster(4, plain())};
    const auto members = test::every(4, 0, 8);
    for (const auto size : {8_B, 64_KiB, 1_MiB, 64_MiB, 4_GiB}) {
        const auto chosen = machine.plan(Kind::all_reduce, size, members).lower_bound;
        for (const auto algorithm : {Algorithm::ring, Algorithm::tree}) {
            EXPECT_LE(chosen, machine.plan(Kind::all_reduce, size, members, algorithm).lower_bound);
        }
    }
}

TEST(Tuning, ReductionInTheSwitchSendsTheBufferOnceAndAShareOfTheResult)
{
    auto tuning = plain();
    tuning.nvls = spec::NvlsSpec{0.5, 20_us, Bytes{}};
    const test::Machine machine{tuned_cluster(1, tuning)};
    const auto plan = machine.plan(Kind::all_reduce, 1_GiB, test::every(1, 0, 8), Algorithm::nvls);
    // 10 + 20 us, then S (n+1)/n over half of 400 GB/s.
    const double wires = 9.0 / 8 * static_cast<double>((1_GiB).base()) / 200e9;
    EXPECT_NEAR(plan.lower_bound.base(), 30e-6 + wires, 1e-12);
}

TEST(Tuning, ATreeOfTwoNodesSendsTheBufferOnceOverTheirNics)
{
    auto tuning = plain();
    tuning.nvls = spec::NvlsSpec{1, Time{}, Bytes{}};
    const test::Machine machine{tuned_cluster(2, tuning)};
    const auto plan =
        machine.plan(Kind::all_reduce, 1_GiB, test::every(2, 0, 8), Algorithm::nvls_tree);
    // S over 8 NICs of 50 GB/s equals 400 GB/s; NVLink, S 9/8 over 400 GB/s, binds.
    const double wires = 9.0 / 8 * static_cast<double>((1_GiB).base()) / 400e9;
    EXPECT_NEAR(plan.lower_bound.base(), 10e-6 + 2 * 14e-6 + wires, 1e-12);
    double most = 0;
    const auto bytes = machine.bytes_by_link(plan.phases.front());
    for (std::size_t link = 0; link < bytes.size(); ++link) {
        if (machine.link(LinkId{link}).kind == fabric::LinkKind::nic) {
            most = std::max(most, bytes[link]);
        }
    }
    EXPECT_NEAR(most, static_cast<double>((1_GiB).base()) / 8, 1);
}

TEST(Tuning, FullChunksWaitOnEveryHopOfATreeBetweenNodes)
{
    // 4 nodes of 8: 8 MiB in flight on 2 x 2 hops at 400 GB/s and 2 x 7 in the nodes at 400 GB/s,
    // at S = 3 x 8 MiB half of it. Before it 10 us and 2 (7 x 4 us + 2 x 14 us).
    auto tuning = plain();
    tuning.flight = 8_MiB;
    const double size = 3.0 * static_cast<double>((8_MiB).base());
    const auto cost = protocol_cost(tuning, group(32, 4), Kind::all_reduce, Algorithm::tree,
                                    Protocol::simple, size);
    const double flight = static_cast<double>((4_MiB).base());
    EXPECT_NEAR(cost->latency.base(), 122e-6 + flight * 18 / 400e9, 1e-15);
}

TEST(Tuning, AChainOverNodesHoldsAFullChunkAtEveryCrossing)
{
    // 32 members on 4 nodes: 10 us, one hop and 31 more of 4 us, 3 transports of 6 us; half of
    // 8 MiB on 3 crossings at 400 GB/s.
    auto tuning = plain();
    tuning.flight = 8_MiB;
    const double size = 3.0 * static_cast<double>((8_MiB).base());
    const auto cost = protocol_cost(tuning, group(32, 4), Kind::broadcast, Algorithm::ring,
                                    Protocol::simple, size);
    const double flight = static_cast<double>((4_MiB).base());
    EXPECT_NEAR(cost->latency.base(), 10e-6 + 32 * 4e-6 + 18e-6 + flight * 3 / 400e9, 1e-15);
}

TEST(Tuning, SwitchesOfTheNetworkTakeTheBufferOnceFromEveryNode)
{
    // 4 nodes of 8 with 8 NICs of 50 GB/s: S over 400 GB/s, on more nodes than two as well, where a
    // ring needs 2 x 31/32 S. 10 us, 3 us to the root, twice the network, twice NVLink.
    auto tuning = plain();
    tuning.sharp = spec::SharpSpec{1, 3_us, 64};
    const test::Machine machine{tuned_cluster(4, tuning)};
    const auto members = test::every(4, 0, 8);
    const auto plan = machine.plan(Kind::all_reduce, 1_GiB, members, Algorithm::sharp);
    // NVLink, 2 x 7/8 S over 400 GB/s, binds more than the NICs.
    const double wires = 1.75 * static_cast<double>((1_GiB).base()) / 400e9;
    EXPECT_NEAR(plan.lower_bound.base(), 10e-6 + 3e-6 + 2 * 14e-6 + 2 * 4e-6 + wires, 1e-12);
    const auto bytes = machine.bytes_by_link(plan.phases.front());
    for (std::size_t link = 0; link < bytes.size(); ++link) {
        if (machine.link(LinkId{link}).kind == fabric::LinkKind::nic) {
            EXPECT_NEAR(bytes[link], static_cast<double>((1_GiB).base()) / 8, 1);
        }
    }
}

TEST(Tuning, SwitchesOfTheNetworkSpanSoManyNodesOnly)
{
    auto tuning = plain();
    tuning.sharp = spec::SharpSpec{1, 3_us, 2};
    const test::Machine machine{tuned_cluster(4, tuning)};
    try {
        static_cast<void>(
            machine.plan(Kind::all_reduce, 1_MiB, test::every(4, 0, 8), Algorithm::sharp));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().front().message,
                  "sharp spans 2 nodes at most (collective.tuning.sharp.most_nodes), not 4");
    }
}

TEST(Tuning, MultimemLoadsAndStoresWhatNvlsMovesWithoutItsChunks)
{
    // As NVLS, S 9/8 over half of 400 GB/s; 10 us and four times LL's hop of 1 us.
    auto tuning = plain();
    tuning.nvls = spec::NvlsSpec{0.5, 20_us, 3_MiB};
    const test::Machine machine{tuned_cluster(1, tuning)};
    const auto plan =
        machine.plan(Kind::all_reduce, 1_GiB, test::every(1, 0, 8), Algorithm::multimem);
    const double wires = 9.0 / 8 * static_cast<double>((1_GiB).base()) / 200e9;
    EXPECT_NEAR(plan.lower_bound.base(), 14e-6 + wires, 1e-12);
}

TEST(Tuning, ACeilingHoldsTheBusBandwidthHoweverFastTheLinks)
{
    auto tuning = plain();
    tuning.simple.ceiling = 100_GBps;
    tuning.ll.ceiling = 1_GBps;
    const test::Machine machine{tuned_cluster(1, tuning)};
    const auto plan = machine.plan(Kind::all_reduce, 1_GiB, test::every(1, 0, 8));
    const double moved = 1.75 * static_cast<double>((1_GiB).base());
    EXPECT_NEAR(plan.lower_bound.base(), 66e-6 + moved / 100e9, 1e-12);
}

TEST(Tuning, ASwitchThatDoesNotReduceIsRefusedInWords)
{
    const test::Machine machine{tuned_cluster(1, plain())};
    try {
        static_cast<void>(
            machine.plan(Kind::all_reduce, 1_MiB, test::every(1, 0, 8), Algorithm::nvls));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().front().message,
                  "nvls needs an NVSwitch that reduces: collective.tuning.nvls describes it");
    }
}

}  // namespace
}  // namespace sim::collective

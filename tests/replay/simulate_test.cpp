#include "replay/simulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "compute/kernel_cost.hpp"
#include "core/literals.hpp"
#include "replay/graph_writer.hpp"
#include "replay/pipeline_graph.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

/// Every case on both engines.
class Simulate : public testing::TestWithParam<engine::Kind>
{
protected:
    static Result run(const spec::ClusterSpec& cluster, const workload::TaskGraph& graph,
                      int steps = 2)
    {
        Job job{cluster, graph};
        job.steps = steps;
        auto result = replay::run(job, {GetParam()});
        for (const auto& ranks : result.classes) {
            const auto sum = std::accumulate(ranks.ledger.begin(), ranks.ledger.end(), Time{});
            EXPECT_NEAR(sum / result.step, 1, 1e-9);
        }
        for (const auto& resources : result.resources) {
            EXPECT_LE(resources.peak_utilisation, 1 + 1e-9) << resources.name;
        }
        return result;
    }
};

INSTANTIATE_TEST_SUITE_P(, Simulate, testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

const RankClass& class_of(const Result& result, std::uint32_t rank)
{
    for (const auto& ranks : result.classes) {
        if (std::count(ranks.members.begin(), ranks.members.end(), rank) > 0) {
            return ranks;
        }
    }
    throw std::logic_error{"no class has the rank"};
}

double entry(const Result& result, std::uint32_t rank, Entry entry)
{
    return class_of(result, rank).ledger[static_cast<std::size_t>(entry)].base();
}

const CommunicationTotals& totals(const Result& result, std::uint32_t rank)
{
    return class_of(result, rank).communication.at(0);
}

const ResourceClass& resource(const Result& result, const std::string& name)
{
    return *std::find_if(result.resources.begin(), result.resources.end(),
                         [&](const ResourceClass& r) { return r.name == name; });
}

std::vector<std::uint32_t> every(std::uint32_t first, std::uint32_t stride, std::uint32_t count)
{
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t i = 0; i < count; ++i) {
        ranks.push_back(first + i * stride);
    }
    return ranks;
}

/// Every GPU is in one ring with its peers of the other nodes (or, `inside`, of its own node).
workload::TaskGraph all_reduce_graph(const spec::ClusterSpec& cluster, Bytes size, bool inside)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "ring"}};
    writer.collective(1, {CollectiveKind::all_reduce, size, 0, 0}, "all-reduce");
    const auto nodes = static_cast<std::uint32_t>(cluster.nodes);
    const auto gpus = static_cast<std::uint32_t>(cluster.node.gpus);
    add_ranks(graph, std::vector<ProgramId>(std::size_t{nodes} * gpus, writer.done()), 1);
    for (std::uint32_t i = 0; i < (inside ? nodes : gpus); ++i) {
        add_communicator(graph, inside ? Purpose::tensor : Purpose::data,
                         inside ? every(i * gpus, 1, gpus) : every(i, gpus, nodes), {0});
    }
    return graph;
}

TEST_P(Simulate, OneForwardOneBackwardTakesMPlusPMinusOneTurns)
{
    // Binary fractions, so that equality is exact: (m + p - 1)(f + b) = (6 + 4 - 1)(0.5 + 1).
    const PipelineShape shape{4, 6, 0.5, 1.0, 0_B};
    const auto graph = pipeline_graph(shape);
    const auto result = run(ideal_cluster(4, 1), graph);
    EXPECT_EQ(result.step.base(), 13.5);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        // (p-1)/(m+p-1) = 3/9 of the step.
        EXPECT_DOUBLE_EQ(entry(result, rank, Entry::bubble) / result.step.base(), 3.0 / 9.0);
        EXPECT_DOUBLE_EQ(entry(result, rank, Entry::compute_math), 9.0);
    }
    EXPECT_EQ(result.binding, "sm");
}

TEST_P(Simulate, AStepWithMoreBubbleThanWorkIsBoundByIt)
{
    // 2 micro-batches on 4 stages: 3/5 of the step is bubble.
    const auto result = run(ideal_cluster(4, 1), pipeline_graph({4, 2, 0.5, 1.0, 0_B}));
    EXPECT_EQ(result.step.base(), 7.5);
    EXPECT_EQ(result.binding, "pipeline bubble");
}

TEST_P(Simulate, ASendOfAGigabyteTakesItsSizeOverTheBandwidthPlusTheLatencyOnce)
{
    auto cluster = ideal_cluster(2, 1);
    cluster.node.nic.latency = 1_ms;
    workload::TaskGraph graph;
    ProgramWriter sender{graph, {"compute", "send"}};
    sender.collective(1, {CollectiveKind::send_recv, 1_GB, 0, 0}, "send");
    ProgramWriter receiver{graph, {"compute", "receive"}};
    const auto got = receiver.collective(1, {CollectiveKind::send_recv, 1_GB, 0, 0}, "receive");
    receiver.recorded(0, "use", 0.5, {on(got)});
    const auto send = sender.done();
    add_ranks(graph, {send, receiver.done()}, 1);
    add_communicator(graph, Purpose::pipeline, {0, 1}, {0});
    const auto result = run(cluster, graph, 1);
    // 1 GB at 50 GB/s is 20 ms, plus 1 ms; then the receiver's half second.
    EXPECT_NEAR(result.step.base(), 0.521, 1e-12);
    EXPECT_NEAR(entry(result, 1, Entry::exposed_pipeline), 0.021, 1e-12);
}

TEST_P(Simulate, TheDataParallelAllReduceOfU19TakesTwoThirdsOfASecondAt400G)
{
    // 2 * 15/16 * 17.65 GB = 33.09 GB over 50 GB/s.
    auto cluster = ideal_cluster(16, 8);
    const auto graph = all_reduce_graph(cluster, Bytes::of(17'650'000'000), false);
    auto result = run(cluster, graph);
    EXPECT_NEAR(result.step.base(), 0.661875, 1e-9);
    EXPECT_EQ(totals(result, 0).binding, "nic");
    EXPECT_NEAR(totals(result, 0).nic_bytes_sent, 33.09375e9, 1);

    cluster.node.nic.bandwidth = 100_GBps;
    result = run(cluster, graph);
    EXPECT_NEAR(result.step.base(), 0.3309375, 1e-9);
}

TEST_P(Simulate, BehindPcieGen5EightHundredGigabitBuyLittle)
{
    // A Gen5 x16 slot moves 32e9 * 16 * 128/130 / 8 = 63.015 GB/s raw, and 55 GB/s at 0.8728.
    auto cluster = ideal_cluster(16, 1);
    cluster.node.nic.bandwidth = 100_GBps;
    cluster.node.pcie.generation = 5;
    const auto graph = all_reduce_graph(cluster, Bytes::of(17'650'000'000), false);
    auto result = run(cluster, graph);
    EXPECT_NEAR(result.step.base(), 33.09375 / 63.0153846153846, 1e-9);
    EXPECT_EQ(totals(result, 0).binding, "pcie");

    cluster.node.pcie.efficiency = 0.8728;
    result = run(cluster, graph);
    EXPECT_NEAR(result.step.base(), 0.6017, 1e-4);
}

TEST_P(Simulate, TensorParallelTrafficCrossesNoNic)
{
    const auto cluster = ideal_cluster(2, 8);
    const auto result = run(cluster, all_reduce_graph(cluster, 1_GB, true));
    // 2 * 7/8 GB over 400 GB/s.
    EXPECT_NEAR(result.step.base(), 1.75e9 / 400e9, 1e-12);
    EXPECT_EQ(totals(result, 0).purpose, "tensor");
    EXPECT_NEAR(totals(result, 0).bytes_sent, 1.75e9, 1);
    EXPECT_EQ(totals(result, 0).nic_bytes_sent, 0);
    EXPECT_EQ(resource(result, "nic").peak_utilisation, 0);
    EXPECT_EQ(resource(result, "pcie").peak_utilisation, 0);
    EXPECT_NEAR(resource(result, "nvlink").mean_utilisation, 1, 1e-9);
}

TEST_P(Simulate, WithOneRankANodeBusBandwidthIsNeverAboveTheNic)
{
    for (const int nodes : {2, 3, 8}) {
        const auto cluster = ideal_cluster(nodes, 1);
        const auto result = run(cluster, all_reduce_graph(cluster, 1_GB, false));
        const auto bus = 2.0 * (nodes - 1) / nodes * 1e9 / result.step.base();
        EXPECT_LE(bus, 50e9 * (1 + 1e-9)) << nodes;
        EXPECT_NEAR(bus, 50e9, 50) << nodes;
    }
}

/// Two kernels; an all-reduce (1 GB on 2 nodes at 50 GB/s: 20 ms) starts after the first, and the
/// next step's first kernel needs it.
workload::TaskGraph overlap_graph(double first, double second)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "data"}};
    const auto backward = writer.recorded(0, "backward", first, {on_last_step({1, 0})});
    writer.recorded(0, "rest", second);
    writer.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "all-reduce", {on(backward)});
    const auto program = writer.done();
    add_ranks(graph, {program, program}, 1);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    return graph;
}

TEST_P(Simulate, AnAllReduceUnderLongerComputeIsHidden)
{
    const auto result = run(ideal_cluster(2, 1), overlap_graph(0.01, 0.05));
    EXPECT_NEAR(result.step.base(), 0.06, 1e-12);
    ASSERT_EQ(result.classes.size(), 1U);
    EXPECT_EQ(result.classes[0].multiplicity, 2U);
    EXPECT_EQ(result.classes[0].members, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(totals(result, 0).exposed, 0_s);
    EXPECT_NEAR(totals(result, 0).hidden.base(), 0.02, 1e-12);
    EXPECT_NEAR(resource(result, "nic").mean_utilisation, 1.0 / 3.0, 1e-9);
}

TEST_P(Simulate, TheStepIsTheRepeatIntervalWhenOneStepsEndDelaysTheNext)
{
    // First step: 8 + 5 ms. Then each step waits for the all-reduce of the one before, which ends
    // 20 ms after the first kernel: a step every 28 ms, and 5 ms of the all-reduce are hidden.
    const auto graph = overlap_graph(0.008, 0.005);
    EXPECT_NEAR(run(ideal_cluster(2, 1), graph, 1).step.base(), 0.013, 1e-12);
    const auto result = run(ideal_cluster(2, 1), graph);
    EXPECT_NEAR(result.step.base(), 0.028, 1e-12);
    EXPECT_NEAR(totals(result, 0).exposed.base(), 0.015, 1e-12);
    EXPECT_NEAR(totals(result, 0).hidden.base(), 0.005, 1e-12);
    EXPECT_NEAR(run(ideal_cluster(2, 1), graph, 5).step.base(), 0.028, 1e-12);
    EXPECT_EQ(result.binding, "nic");
}

TEST_P(Simulate, WaitingForTheLastMemberIsNotCommunication)
{
    workload::TaskGraph graph;
    std::vector<ProgramId> programs;
    for (const double seconds : {0.25, 1.0}) {
        ProgramWriter writer{graph, {"compute", "data"}};
        const auto kernel = writer.recorded(0, "work", seconds);
        const auto reduced = writer.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0},
                                               "all-reduce", {on(kernel)});
        writer.recorded(0, "update", 0.25, {on(reduced)});
        programs.push_back(writer.done());
    }
    add_ranks(graph, programs, 1);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    const auto result = run(ideal_cluster(2, 1), graph);
    EXPECT_NEAR(result.step.base(), 1.27, 1e-12);
    EXPECT_NEAR(entry(result, 0, Entry::straggler), 0.75, 1e-12);
    EXPECT_NEAR(entry(result, 0, Entry::exposed_data), 0.02, 1e-12);
    EXPECT_EQ(entry(result, 1, Entry::straggler), 0);
    EXPECT_EQ(result.classes.size(), 2U);
}

TEST_P(Simulate, ARunningCollectiveSlowsAKernelByTheSmsItHolds)
{
    auto cluster = ideal_cluster(2, 1);
    cluster.collective.channel_sms = 20;
    spec::Operation gemm;
    gemm.kind = spec::OperationKind::gemm;
    gemm.m = 25600;
    gemm.n = 12800;
    gemm.k = 8192;
    gemm.bytes = 1e9;
    gemm.flops = Flops::of(2.0 * 25600 * 12800 * 8192);
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "data"}};
    const auto kernel = writer.kernel(0, "gemm", gemm);
    writer.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "all-reduce",
                      {on_last_step(kernel)});
    const auto program = writer.done();
    add_ranks(graph, {program, program}, 1);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    const auto alone = compute::cost(gemm, cluster.node.gpu).alone.base();
    ASSERT_GT(alone, 0.02);
    // For 20 ms the kernel has 80 of the 100 SMs: 4 ms worth of work are late.
    EXPECT_NEAR(run(cluster, graph, 1).step.base(), alone + 0.004, 1e-9);
}

TEST_P(Simulate, HoldsNeverTakeTheLastSm)
{
    auto cluster = ideal_cluster(2, 1);
    cluster.collective.channel_sms = 99;
    spec::Operation gemm;
    gemm.kind = spec::OperationKind::gemm;
    gemm.m = gemm.n = gemm.k = 1024;
    gemm.bytes = 6e6;
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "one", "two"}};
    writer.kernel(0, "gemm", gemm);
    writer.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "all-reduce");
    writer.collective(2, {CollectiveKind::all_reduce, 1_GB, 1, 0}, "all-reduce");
    const auto program = writer.done();
    add_ranks(graph, {program, program}, 2);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    add_communicator(graph, Purpose::data, {0, 1}, {1});
    const auto alone = compute::cost(gemm, cluster.node.gpu).alone.base();
    ASSERT_LT(alone * 100, 0.04);
    // Both rings share the NIC for 40 ms; meanwhile one SM does the work of a hundred.
    EXPECT_NEAR(run(cluster, graph, 1).step.base(), alone * 100, 1e-9);
}

TEST_P(Simulate, CollectivesOfOneCommunicatorTakeTurnsEvenFromTwoStreams)
{
    auto cluster = ideal_cluster(2, 1);
    cluster.collective.launch = 10_ms;
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "one", "two"}};
    writer.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "first");
    writer.collective(2, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "second");
    const auto program = writer.done();
    add_ranks(graph, {program, program}, 1);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    // Twice 10 + 20 ms; side by side they would share the NIC and end after 10 + 40 ms.
    EXPECT_NEAR(run(cluster, graph, 1).step.base(), 0.06, 1e-12);
}

TEST_P(Simulate, TheSameInputGivesTheSameFingerprint)
{
    const auto graph = pipeline_graph({4, 6, 0.3, 0.7, 1_MB});
    const auto once = run(ideal_cluster(4, 1), graph);
    const auto twice = run(ideal_cluster(4, 1), graph);
    EXPECT_EQ(once.fingerprint, twice.fingerprint);
    EXPECT_EQ(once.step, twice.step);
    const auto other = run(ideal_cluster(4, 1), pipeline_graph({4, 6, 0.3, 0.71, 1_MB}));
    EXPECT_NE(once.fingerprint, other.fingerprint);
}

TEST(SimulateOnBothEngines, StepsAgreeToNineDigits)
{
    auto cluster = ideal_cluster(2, 8);
    cluster.node.nic.latency = 3_us;
    cluster.node.nvlink.latency = 1_us;
    cluster.collective.launch = 7_us;
    for (const auto& graph :
         {pipeline_graph({8, 6, 0.3, 0.7, 10_MB}), all_reduce_graph(cluster, 1_GB, false),
          all_reduce_graph(cluster, 1_GB, true), overlap_graph(0.01, 0.005)}) {
        const Job job{cluster, graph};
        const auto native = run(job, {engine::Kind::native});
        const auto simgrid = run(job, {engine::Kind::simgrid});
        EXPECT_NEAR(native.step / simgrid.step, 1, 1e-9);
    }
}

}  // namespace
}  // namespace sim::replay::test

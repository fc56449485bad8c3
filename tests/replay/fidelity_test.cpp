#include <gtest/gtest.h>

#include <algorithm>

#include "compute/kernel_cost.hpp"
#include "core/literals.hpp"
#include "replay/collective_graph.hpp"
#include "replay/pipeline_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;
using spec::Fidelity;

/// What graph_of() does after its collective.
constexpr double kUse = 0.5;

/// Every case on both engines, with the audit.
class FidelityOn : public testing::TestWithParam<engine::Kind>
{
protected:
    static Result run(const spec::ClusterSpec& cluster, const workload::TaskGraph& graph,
                      const spec::FidelitySpec& fidelity, Fold fold = Fold::automatic)
    {
        Job job{cluster, graph};
        job.steps = 1;
        job.fidelity = fidelity;
        return replay::run(job, {GetParam(), fold});
    }

    /// From the start to the end of the last member's collective.
    static double time(const spec::ClusterSpec& cluster, const OneCollective& one,
                       Fidelity fidelity)
    {
        return run(cluster, graph_of(one), {fidelity}).step.base() - kUse;
    }

    static double entry(const Result& result, std::uint32_t rank, Entry entry)
    {
        for (const auto& ranks : result.classes) {
            if (std::count(ranks.members.begin(), ranks.members.end(), rank) > 0) {
                return ranks.ledger[static_cast<std::size_t>(entry)].base();
            }
        }
        return -1;
    }
};

INSTANTIATE_TEST_SUITE_P(, FidelityOn, testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

constexpr Fidelity kAll[] = {Fidelity::analytic, Fidelity::flow, Fidelity::chunk};

TEST_P(FidelityOn, AllThreeAgreeOnAHomogeneousRingToTheClosedForm)
{
    // launch + k (a + S/n / B): 6 or 3 steps of 250 MB at 50 GB/s (5 ms) and 4 us. No fill.
    auto cluster = ideal_cluster(4, 1);
    cluster.node.nic.latency = 4_us;
    cluster.collective.launch = 10_us;
    const std::pair<CollectiveKind, int> steps[] = {{CollectiveKind::all_reduce, 6},
                                                    {CollectiveKind::all_gather, 3},
                                                    {CollectiveKind::reduce_scatter, 3}};
    for (const auto fidelity : kAll) {
        for (const auto& [kind, k] : steps) {
            EXPECT_NEAR(time(cluster, {{kind, 1_GB, 0, 0}, first_ranks(4)}, fidelity),
                        10e-6 + k * (4e-6 + 5e-3), 1e-12);
        }
    }
}

TEST_P(FidelityOn, AllThreeAgreeOnASend)
{
    auto cluster = ideal_cluster(2, 1);
    cluster.node.nic.latency = 4_us;
    for (const auto fidelity : kAll) {
        // 1 GB at 50 GB/s and one latency.
        EXPECT_NEAR(time(cluster, {{CollectiveKind::send_recv, 1_GB, 0, 0}, {0, 1}}, fidelity),
                    0.02 + 4e-6, 1e-12);
    }
}

TEST_P(FidelityOn, AllThreeAgreeOnAHierarchicalAllReduce)
{
    auto cluster = ideal_cluster(4, 4);
    cluster.node.nic.latency = 20_us;
    cluster.node.nvlink.latency = 1_us;
    cluster.collective.launch = 10_us;
    // Small, so that 2 (3 + 3) steps beat the ring's 30: in the node 2 x 3 steps of 256 kB at
    // 400 GB/s and 1 us, over the rails 2 x 3 steps of 256 kB / 4 at 50 GB/s and 20 us.
    const double expected = 10e-6 + 6 * (1e-6 + 256e3 / 400e9) + 6 * (20e-6 + 64e3 / 50e9);
    for (const auto fidelity : kAll) {
        EXPECT_NEAR(
            time(cluster,
                 {{CollectiveKind::all_reduce, Bytes::of(1'024'000), 0, 0}, first_ranks(16)},
                 fidelity),
            expected, 1e-12);
    }
}

/// Two GPUs of node 0 and one of node 1: one ring over NVLink and twice over NICs.
spec::ClusterSpec mixed_ring()
{
    auto cluster = ideal_cluster(2, 2);
    cluster.node.nvlink.latency = 10_us;
    cluster.node.nic.latency = 2_us;
    return cluster;
}

TEST_P(FidelityOn, AChunkPaysTheWorstHopAndAFlowTheWorstLatencyAndTheWorstBandwidth)
{
    // k = 4 steps of 100 MB. A NIC hop takes 2 us + 2 ms, an NVLink hop 10 us + 0.25 ms. The chunk
    // is at the pace of the NIC hop; the flow adds up NVLink's latency and the NIC's bandwidth.
    const OneCollective one{{CollectiveKind::all_reduce, 300_MB, 0, 0}, {0, 1, 2}};
    const double flow = time(mixed_ring(), one, Fidelity::flow);
    const double chunk = time(mixed_ring(), one, Fidelity::chunk);
    EXPECT_NEAR(flow, 4 * (10e-6 + 2e-3), 1e-12);
    EXPECT_NEAR(chunk, 4 * (2e-6 + 2e-3), 1e-12);
    EXPECT_NEAR(time(mixed_ring(), one, Fidelity::analytic), flow, 1e-12);
}

TEST_P(FidelityOn, BehindASlowLinkChunksLetMembersGoOneByOneAndAFlowHoldsThemAll)
{
    // d = 250 MB / 50 GB/s = 5 ms a step; 2 d on the hop from 1 to 2. Step s of hop i ends d_i
    // after the later of step s - 1 of hops i and i - 1:
    //     step 0: 1 2 1 1    step 1: 2 4 3 2    step 2: 3 6 5 4   (hops 0 to 3, in d)
    // A member leaves when its last step out (hop i) and in (hop i - 1) have ended: 4 6 6 5.
    auto cluster = ideal_cluster(4, 1);
    cluster.events = {{0_s, "node1/nic0->leaf0", 0.5}};
    const auto graph = graph_of({{CollectiveKind::all_gather, 1_GB, 0, 0}, first_ranks(4)});
    const auto chunk = run(cluster, graph, {Fidelity::chunk});
    const auto flow = run(cluster, graph, {Fidelity::flow});
    const double leaves[] = {4, 6, 6, 5};
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        EXPECT_NEAR(entry(chunk, rank, Entry::exposed_data), leaves[rank] * 5e-3, 1e-12) << rank;
        EXPECT_NEAR(entry(flow, rank, Entry::exposed_data), 6 * 5e-3, 1e-12) << rank;
    }
    EXPECT_NEAR(chunk.step / flow.step, 1, 1e-12);
    // The closed form knows the whole machine only.
    EXPECT_NEAR(run(cluster, graph, {Fidelity::analytic}).step.base(), kUse + 3 * 5e-3, 1e-12);
}

/// Four nodes on two leaves with half the bandwidth up; every hop of the ring 0, 2, 1, 3 crosses.
spec::ClusterSpec two_leaves()
{
    auto cluster = ideal_cluster(4, 1);
    auto& leaf_spine = std::get<spec::LeafSpineSpec>(cluster.fabric.network);
    leaf_spine.nodes_per_leaf = 2;
    leaf_spine.oversubscription = 2;
    return cluster;
}

TEST_P(FidelityOn, StepsDoneBeforeALateRankComesAreNotDoneAfter)
{
    // u = 250 MB / 50 GB/s = 5 ms; two hops share each direction between the leaves. All there:
    // 3 steps of 2 u. With the third of the ring late, hop 0 has passed two steps and hop 3 one
    // before it comes at L; then
    //     L to L+1: hops 1 and 2 pass step 0, each alone on its direction
    //     to L+3:   hop 1 step 1 and hop 3 step 1 share; hop 2 step 1 is alone
    //     to L+5:   the last steps of hops 0 and 2, and of 1 and 3, share
    OneCollective one{{CollectiveKind::all_gather, 1_GB, 0, 0}, {0, 2, 1, 3}};
    EXPECT_NEAR(time(two_leaves(), one, Fidelity::flow), 6 * 5e-3, 1e-12);
    EXPECT_NEAR(time(two_leaves(), one, Fidelity::chunk), 6 * 5e-3, 1e-12);
    one.before = {0, 0, 0.1, 0};
    EXPECT_NEAR(time(two_leaves(), one, Fidelity::flow), 0.1 + 6 * 5e-3, 1e-12);
    EXPECT_NEAR(time(two_leaves(), one, Fidelity::chunk), 0.1 + 5 * 5e-3, 1e-12);
}

/// Rank 0 computes beside a collective for which rank 1 comes `late`.
workload::TaskGraph late_beside_gemm(const spec::Operation& gemm, double late)
{
    workload::TaskGraph graph;
    ProgramWriter early{graph, {"compute", "data"}};
    const auto work = early.kernel(0, "gemm", gemm);
    early.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "all-reduce",
                     {on_last_step(work)});
    const auto first = early.done();
    ProgramWriter other{graph, {"compute", "data"}};
    const auto kernel = other.recorded(0, "late", late);
    other.collective(1, {CollectiveKind::all_reduce, 1_GB, 0, 0}, "all-reduce", {on(kernel)});
    add_ranks(graph, {first, other.done()}, 1);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    return graph;
}

TEST_P(FidelityOn, AnEarlyRanksKernelHasFewerSmsWhileItsChunksWait)
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
    const auto alone = compute::cost(gemm, cluster.node.gpu).alone.base();
    ASSERT_GT(alone, 0.04);
    const auto graph = late_beside_gemm(gemm, 0.01);
    // All-reduce: 20 ms once both are there, at 10 ms. A flow holds 20 of the 100 SMs for those
    // 20 ms (4 ms of work are late), a chunk from the start, for 30 ms (6 ms).
    EXPECT_NEAR(run(cluster, graph, {Fidelity::flow}).step.base(), alone + 0.004, 1e-9);
    EXPECT_NEAR(run(cluster, graph, {Fidelity::chunk}).step.base(), alone + 0.006, 1e-9);
    // No contention at all.
    EXPECT_NEAR(run(cluster, graph, {Fidelity::analytic}).step.base(), alone, 1e-9);
}

TEST_P(FidelityOn, EveryKindOfCollectiveMayHaveItsOwn)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "data"}};
    writer.recorded(0, "work", 0.1);
    writer.collective(1, {CollectiveKind::all_reduce, 1_MB, 0, 0}, "all-reduce");
    writer.collective(1, {CollectiveKind::all_gather, 1_MB, 0, 0}, "all-gather");
    const auto program = writer.done();
    add_ranks(graph, {program, program, program, program}, 1);
    add_communicator(graph, Purpose::data, first_ranks(4), {0});
    spec::FidelitySpec fidelity;
    // Two of each kind until the mark (the next step's come early): a ring of 4 is one flow, or
    // 6 x 4 chunks of an all-reduce, 3 x 4 of an all-gather.
    const auto activities = [&] {
        return run(ideal_cluster(4, 1), graph, fidelity, Fold::off).activities;
    };
    const auto flows = activities();
    fidelity.all_reduce = Fidelity::chunk;
    EXPECT_EQ(activities(), flows + 2 * (24 - 1));
    fidelity.all_gather = Fidelity::chunk;
    EXPECT_EQ(activities(), flows + 2 * (24 - 1) + 2 * (12 - 1));
    fidelity = {Fidelity::chunk, Fidelity::flow, Fidelity::flow};
    EXPECT_EQ(activities(), flows);
}

TEST_P(FidelityOn, TheSameBytesCrossTheSameLinks)
{
    const auto cluster = two_leaves();
    const auto graph = graph_of({{CollectiveKind::all_reduce, 1_GB, 0, 0}, {0, 2, 1, 3}});
    const auto used = [](const Result& result) {
        std::vector<double> units;
        for (const auto& kind : result.resources) {
            units.push_back(kind.mean_utilisation * result.step.base());
        }
        return units;
    };
    const auto flow = run(cluster, graph, {Fidelity::flow});
    const auto chunk = run(cluster, graph, {Fidelity::chunk});
    const auto analytic = run(cluster, graph, {Fidelity::analytic});
    for (std::size_t kind = 0; kind < flow.resources.size(); ++kind) {
        EXPECT_NEAR(used(chunk)[kind], used(flow)[kind], 1e-12) << flow.resources[kind].name;
        EXPECT_EQ(used(analytic)[kind], 0) << flow.resources[kind].name;
    }
    EXPECT_EQ(chunk.classes[0].communication[0].bytes_sent,
              flow.classes[0].communication[0].bytes_sent);
    EXPECT_EQ(analytic.classes[0].communication[0].bytes_sent,
              flow.classes[0].communication[0].bytes_sent);
}

TEST(FidelityOnBothEngines, StepsAgreeToNineDigits)
{
    auto cluster = ideal_cluster(2, 4);
    cluster.node.nic.latency = 3_us;
    cluster.node.nvlink.latency = 1_us;
    cluster.collective = {.name = "library", .channel_sms = 20, .launch = 7_us};
    auto slow = cluster;
    slow.events = {{2_ms, "node1/nic0->leaf0", 0.25}, {6_ms, "node1/nic0->leaf0", 1}};
    const std::vector<workload::TaskGraph> graphs{
        pipeline_graph({8, 6, 0.3e-3, 0.7e-3, 10_MB}),
        graph_of({{CollectiveKind::all_reduce, 300_MB, 0, 0}, first_ranks(8), {0, 1e-3, 5e-3}}),
        graph_of({{CollectiveKind::all_gather, 50_MB, 0, 0}, first_ranks(3), {0, 1e-3}})};
    for (const auto& machine : {cluster, slow}) {
        for (const auto& graph : graphs) {
            for (const auto fidelity : kAll) {
                Job job{machine, graph};
                job.fidelity = {fidelity};
                const auto native = run(job, {engine::Kind::native});
                const auto simgrid = run(job, {engine::Kind::simgrid});
                EXPECT_NEAR(native.step / simgrid.step, 1, 1e-9);
                EXPECT_EQ(native.activities, simgrid.activities);
            }
        }
    }
}

}  // namespace
}  // namespace sim::replay::test

#include "replay/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/literals.hpp"
#include "replay/graph_writer.hpp"
#include "replay/pipeline_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"
#include "workload/training_step.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

struct Plan {
    int tensor = 1;
    int pipeline = 1;
    int data = 1;
    int zero = 0;
    std::vector<int> layers{};
};

/// A small model, cut as the plan says, on nodes of eight GPUs.
spec::ExperimentSpec experiment(const Plan& plan)
{
    spec::ExperimentSpec experiment;
    const int ranks = plan.tensor * plan.pipeline * plan.data;
    auto& cluster = experiment.cluster;
    cluster = ideal_cluster(std::max(1, (ranks + 7) / 8), 8);
    std::get<spec::LeafSpineSpec>(cluster.fabric.network).nodes_per_leaf = 2;
    cluster.fabric.cable_latency = 100_ns;
    cluster.node.nvlink.latency = 3_us;
    cluster.node.nic.latency = 2_us;
    cluster.node.gpu.kernel_launch = 3_us;
    cluster.collective = {.name = "library", .channel_sms = 12, .launch = 8_us};
    auto& workload = experiment.workload;
    workload.model = {.name = "small",
                      .hidden = 512,
                      .layers = 8,
                      .heads = 8,
                      .kv_heads = 8,
                      .head_dim = 64,
                      .ffn = 1024,
                      .vocab = 4096};
    workload.sequence = 512;
    workload.global_batch = 4 * plan.data;
    workload.micro_batch = 1;
    workload.plan.tensor = plan.tensor;
    workload.plan.pipeline = plan.pipeline;
    workload.plan.data = plan.data;
    workload.plan.zero = plan.zero;
    workload.plan.sequence_parallel = plan.tensor > 1;
    workload.plan.layers_per_stage =
        plan.layers.empty() ? std::vector<int>(plan.pipeline, 8 / plan.pipeline) : plan.layers;
    workload.framework.gradient_bucket = 4_MB;
    workload.framework.optimizer_bytes_per_parameter = 34;
    workload.framework.optimizer_state_bytes = 12;
    return experiment;
}

double largest_difference(const RankClass& a, const RankClass& b)
{
    double most = 0;
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
        most = std::max(most, std::abs((a.ledger[entry] - b.ledger[entry]).base()));
    }
    EXPECT_EQ(a.communication.size(), b.communication.size());
    for (std::size_t i = 0; i < a.communication.size(); ++i) {
        EXPECT_DOUBLE_EQ(a.communication[i].bytes_sent, b.communication[i].bytes_sent);
        EXPECT_DOUBLE_EQ(a.communication[i].nic_bytes_sent, b.communication[i].nic_bytes_sent);
        EXPECT_EQ(a.communication[i].binding, b.communication[i].binding);
    }
    return most;
}

const RankClass& class_of(const Result& result, std::uint32_t rank)
{
    return *std::find_if(result.classes.begin(), result.classes.end(), [&](const RankClass& c) {
        return std::binary_search(c.members.begin(), c.members.end(), rank);
    });
}

void expect_equal(const Result& folded, const Result& whole)
{
    const auto step = whole.step.base();
    EXPECT_NEAR(folded.step / whole.step, 1, 1e-9);
    ASSERT_EQ(folded.resources.size(), whole.resources.size());
    for (std::size_t r = 0; r < whole.resources.size(); ++r) {
        const auto& a = folded.resources[r];
        const auto& b = whole.resources[r];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.members, b.members);
        EXPECT_NEAR(a.mean_utilisation, b.mean_utilisation, 1e-9) << a.name;
        EXPECT_NEAR(a.peak_utilisation, b.peak_utilisation, 1e-9) << a.name;
        EXPECT_DOUBLE_EQ(a.capacity, b.capacity) << a.name;
    }
    for (const auto& one : whole.classes) {
        for (const auto rank : one.members) {
            EXPECT_LE(largest_difference(class_of(folded, rank), one), 1e-9 * step) << rank;
        }
    }
    EXPECT_EQ(folded.binding, whole.binding);
    EXPECT_NEAR(folded.hfu, whole.hfu, 1e-9);
}

/// Both ways, compared; the number of instances the folded one ran.
std::uint64_t fold_and_compare(const spec::ExperimentSpec& experiment)
{
    const auto folded = run(experiment, {});
    const auto whole = run(experiment, {.fold = Fold::off});
    expect_equal(folded, whole);
    EXPECT_EQ(whole.folding, "not folded");
    return folded.instances;
}

TEST(Fold, DataParallelRanksOnOneLeafAreOneClass)
{
    auto spec = experiment({.data = 16, .zero = 1});
    EXPECT_EQ(fold_and_compare(spec), 1U);
    EXPECT_EQ(run(spec, {}).folding, "folded: 1 classes of 16 ranks");
}

TEST(Fold, EveryStageOfAPipelineIsAClass)
{
    // Of one replica on one node each stage is one rank: nothing to fold, but with two replicas of
    // tensor groups a stage is a class.
    EXPECT_EQ(fold_and_compare(experiment({.tensor = 2, .pipeline = 4})), 4U);
    EXPECT_EQ(fold_and_compare(experiment({.tensor = 8, .pipeline = 4, .data = 2})), 4U);
}

TEST(Fold, APlanWithoutTwoEqualRanksSaysSo)
{
    const auto spec = experiment({.pipeline = 4});
    EXPECT_EQ(fold_and_compare(spec), 4U);
    EXPECT_EQ(run(spec, {}).folding,
              "not folded: no two ranks do the same on equal resources, 4 classes of 4 ranks");
}

TEST(Fold, MixedPlansGiveTheStepOfTheWholeRun)
{
    for (const auto& plan : std::vector<Plan>{{2, 2, 4, 1},
                                              {4, 2, 2, 0},
                                              {8, 2, 4, 1},
                                              {1, 4, 8, 1},
                                              {2, 4, 8, 1, {3, 2, 2, 1}},
                                              {8, 4, 3, 1, {1, 2, 3, 2}}}) {
        SCOPED_TRACE(testing::Message()
                     << plan.tensor << " x " << plan.pipeline << " x " << plan.data);
        EXPECT_LT(fold_and_compare(experiment(plan)),
                  static_cast<std::uint64_t>(plan.tensor * plan.pipeline * plan.data));
    }
}

TEST(Fold, OversubscribedUplinksAreSharedAsInTheWholeRun)
{
    auto spec = experiment({.tensor = 2, .pipeline = 2, .data = 16, .zero = 1});
    std::get<spec::LeafSpineSpec>(spec.cluster.fabric.network).oversubscription = 4;
    EXPECT_LT(fold_and_compare(spec), 64U);
}

TEST(Fold, GpusThatShareNicsInPairsFold)
{
    auto spec = experiment({.tensor = 1, .pipeline = 2, .data = 16, .zero = 1});
    spec.cluster.node.nics = 4;
    spec.cluster.node.nic_of_gpu = {0, 0, 1, 1, 2, 2, 3, 3};
    EXPECT_LT(fold_and_compare(spec), 32U);
}

TEST(Fold, HashedRoutesLeaveTheSymmetryThatTheyLeave)
{
    auto spec = experiment({.tensor = 8, .pipeline = 2, .data = 4, .zero = 1});
    spec.cluster.fabric.routing = spec::Routing::ecmp;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        spec.seed = seed;
        fold_and_compare(spec);
    }
}

/// Every rank sends to the next one and receives from the one before, all by one program.
TEST(Fold, OneInstanceMayBeBothEndsOfItsGroup)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "out", "in"}};
    const auto got = writer.collective(2, {CollectiveKind::send_recv, 400_MB, 1, 0}, "receive");
    writer.recorded(0, "work", 0.5, {on(got)});
    writer.collective(1, {CollectiveKind::send_recv, 400_MB, 0, 0}, "send");
    add_ranks(graph, std::vector<ProgramId>(8, writer.done()), 2);
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        add_communicator(graph, Purpose::pipeline, {rank, (rank + 1) % 8}, {0, 1});
    }
    const auto cluster = ideal_cluster(8, 1);
    const auto folded = run(Job{cluster, graph}, {});
    expect_equal(folded, run(Job{cluster, graph}, {.fold = Fold::off}));
    EXPECT_EQ(folded.instances, 1U);
}

TEST(Fold, ADeadlockNamesRanksAlsoWhenItIsAFoldedJobsDeadlock)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "ring"}};
    const workload::Dependence never{StreamId{0}, 0, 0};
    writer.collective(1, {CollectiveKind::all_reduce, 1_MB, 0, 0}, "all-reduce", {never});
    writer.recorded(0, "work", 0.5, {on({1, 0})});
    add_ranks(graph, std::vector<ProgramId>(4, writer.done()), 1);
    add_communicator(graph, Purpose::data, {0, 1, 2, 3}, {0});
    const auto cluster = ideal_cluster(4, 1);
    std::vector<std::string> words;
    for (const auto fold : {Fold::automatic, Fold::off}) {
        try {
            static_cast<void>(run(Job{cluster, graph}, {.fold = fold}));
        } catch (const Error& error) {
            words.emplace_back(error.what());
        }
    }
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(words[0], words[1]);
}

}  // namespace
}  // namespace sim::replay::test

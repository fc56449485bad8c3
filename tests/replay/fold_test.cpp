#include "replay/fold.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/literals.hpp"
#include "replay/fold_compare.hpp"
#include "replay/graph_writer.hpp"
#include "replay/simulate.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

TEST(Fold, DataParallelRanksOnOneLeafAreOneClass)
{
    auto spec = experiment({.data = 16, .zero = 1});
    EXPECT_EQ(fold_and_compare(spec), 1U);
    EXPECT_EQ(run(spec, {}).folding, "folded: 1 class of 16 ranks");
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

TEST(Fold, OneSlowGpuPartsItsReplicaFromTheOthers)
{
    auto spec = experiment({.tensor = 8, .pipeline = 2, .data = 8, .zero = 1});
    spec.cluster.events = {{Time{}, "node3/gpu5/sm", 0.95}};
    // The slow GPU, the rest of its tensor group and its pipeline's other stage are no longer like
    // the other replicas'; those 7 of each stage stay together where their leaves do.
    const auto instances = fold_and_compare(spec);
    EXPECT_GT(instances, 2U);
    EXPECT_LT(instances, 128U);
    const auto plain = experiment({.tensor = 8, .pipeline = 2, .data = 8, .zero = 1});
    EXPECT_GT(run(spec, {}).step, run(plain, {}).step);
}

TEST(Fold, ALinkThatLosesHalfItsCapacityMidwayIsSeenByBoth)
{
    auto spec = experiment({.tensor = 4, .pipeline = 1, .data = 8, .zero = 1});
    spec.cluster.events = {{100_us, "leaf0->spine0", 0.5}, {1_ms, "leaf0->spine0", 1}};
    fold_and_compare(spec);
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

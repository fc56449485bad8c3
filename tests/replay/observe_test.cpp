#include "replay/observe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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

Result watched(const spec::ClusterSpec& cluster, const workload::TaskGraph& graph,
               const Options& with = {})
{
    auto options = with;
    options.watch = true;
    return replay::run(Job{cluster, graph}, options);
}

const RankClass& class_of(const Result& result, std::uint32_t rank)
{
    return *std::find_if(result.classes.begin(), result.classes.end(), [&](const RankClass& c) {
        return std::count(c.members.begin(), c.members.end(), rank) > 0;
    });
}

double on_path(const Result& result, const std::string& what)
{
    for (const auto& share : result.observed->critical) {
        if (share.what == what) {
            return share.time.base();
        }
    }
    return 0;
}

double sum(const std::vector<PathShare>& shares)
{
    return std::accumulate(shares.begin(), shares.end(), 0.0,
                           [](double all, const PathShare& s) { return all + s.time.base(); });
}

/// Four ranks, one a node, of which rank 2 works 2 s longer before 4 GB are reduced.
workload::TaskGraph late_rank()
{
    OneCollective one;
    one.collective = {CollectiveKind::all_reduce, 4_GB, 0, 0};
    one.members = first_ranks(4);
    one.before = {1, 1, 3, 1};
    return graph_of(one);
}

TEST(Observe, NamesTheRankThatTheOthersWaitFor)
{
    const auto result = watched(ideal_cluster(4, 1), late_rank());
    for (const std::uint32_t rank : {0U, 1U, 3U}) {
        const auto& its = class_of(result, rank);
        ASSERT_EQ(its.waited.size(), 1) << rank;
        EXPECT_EQ(its.waited[0].rank, 2);
        EXPECT_NEAR(its.waited[0].time.base(), 2, 1e-9);
        EXPECT_NEAR(its.ledger[static_cast<std::size_t>(Entry::straggler)].base(), 2, 1e-9);
    }
    EXPECT_TRUE(class_of(result, 2).waited.empty());
}

TEST(Observe, TheCriticalPathGoesThroughTheRankThatIsLate)
{
    // 3 s and 0.5 s of work; a ring of 4 sends 2 x 3/4 x 4 GB over 50 GB/s: 0.12 s.
    const auto result = watched(ideal_cluster(4, 1), late_rank());
    EXPECT_NEAR(result.step.base(), 3.62, 1e-9);
    EXPECT_NEAR(on_path(result, "sm"), 3.5, 1e-9);
    EXPECT_NEAR(on_path(result, "nic"), 0.12, 1e-9);
}

TEST(Observe, TheCriticalPathOfAPipelineSumsToTheStepOnBothEngines)
{
    PipelineShape shape{
        .stages = 4, .micro_batches = 6, .forward = 1, .backward = 2, .message = 1_GB};
    const auto graph = pipeline_graph(shape);
    for (const auto kind : {engine::Kind::native, engine::Kind::simgrid}) {
        Options options;
        options.engine = kind;
        const auto result = watched(ideal_cluster(4, 1), graph, options);
        EXPECT_NEAR(sum(result.observed->critical) / result.step.base(), 1, 1e-9);
        EXPECT_EQ(result.observed->paces, kind == engine::Kind::native);
    }
}

TEST(Observe, UtilisationOverTimeHasTheMeanOfTheStep)
{
    const auto result = watched(ideal_cluster(4, 1), late_rank());
    const auto& observed = *result.observed;
    for (const auto& resource : result.resources) {
        const auto line =
            std::find_if(observed.timelines.begin(), observed.timelines.end(),
                         [&](const Timeline& t) { return t.resource == resource.name; });
        ASSERT_NE(line, observed.timelines.end()) << resource.name;
        double served = 0;
        for (std::size_t i = 0; i < line->mean.size(); ++i) {
            const double from = observed.bin.base() * static_cast<double>(i);
            served += line->mean[i] * std::min(observed.bin.base(), result.step.base() - from);
            EXPECT_LE(line->mean[i], line->peak[i] + 1e-9);
            EXPECT_LE(line->peak[i], 1 + 1e-9);
        }
        EXPECT_NEAR(served / result.step.base(), resource.mean_utilisation, 1e-9) << resource.name;
    }
}

TEST(Observe, ChargesWhatAKernelLosesToTheMemoryItShares)
{
    // Two streams: 2 TB and 1 TB of HBM traffic at 2 TB/s. Alone they take 1 s and 0.5 s. Sharing,
    // each gets half: the short one ends at 1 s (0.5 s lost), the long one has 1 TB left then and
    // ends at 1.5 s (0.5 s lost).
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "beside"}};
    spec::Operation longer;
    longer.kind = spec::OperationKind::streaming;
    longer.bytes = 2e12;
    spec::Operation shorter = longer;
    shorter.bytes = 1e12;
    writer.kernel(0, "long", longer);
    writer.kernel(1, "short", shorter);
    add_ranks(graph, {writer.done()}, 0);
    const auto result = watched(ideal_cluster(1, 1), graph);
    EXPECT_NEAR(result.step.base(), 1.5, 1e-9);
    const auto& lost = result.classes[0].lost;
    ASSERT_EQ(lost.size(), 1);
    EXPECT_EQ(lost[0].resource, "hbm");
    EXPECT_NEAR(lost[0].kernels.base(), 1, 1e-9);
}

TEST(Observe, CountsWhatCrossesTheNetworkFromRankToRank)
{
    // Each of four sends 2 x 3/4 x 4 GB to its neighbour on the ring.
    const auto result = watched(ideal_cluster(4, 1), late_rank());
    const auto& pairs = result.observed->pairs;
    ASSERT_EQ(pairs.size(), 4);
    for (const auto& pair : pairs) {
        EXPECT_EQ(pair.purpose, "data");
        EXPECT_NEAR(pair.bytes, 6e9, 1);
    }
    const auto& links = result.observed->links;
    ASSERT_FALSE(links.empty());
    EXPECT_EQ(links[0].kind, "nic");
    ASSERT_FALSE(links[0].crossings.empty());
    EXPECT_NEAR(links[0].crossings[0].bytes, 6e9, 1);
    EXPECT_NEAR(links[0].utilisation, 0.12 / 3.62, 1e-9);
}

TEST(Observe, ChangesNothingOfTheRun)
{
    const auto graph = late_rank();
    const auto alone = replay::run(Job{ideal_cluster(4, 1), graph}, {});
    const auto with = watched(ideal_cluster(4, 1), graph);
    EXPECT_EQ(alone.step, with.step);
    EXPECT_EQ(alone.fingerprint, with.fingerprint);
    EXPECT_EQ(alone.activities, with.activities);
}

TEST(Observe, SaysTheSameFoldedAndNot)
{
    OneCollective one;
    one.collective = {CollectiveKind::all_reduce, 4_GB, 0, 0};
    one.members = first_ranks(4);
    one.before = {1, 1, 1, 1};
    const auto graph = graph_of(one);
    Options off;
    off.fold = Fold::off;
    const auto folded = watched(ideal_cluster(4, 1), graph);
    const auto whole = watched(ideal_cluster(4, 1), graph, off);
    EXPECT_NEAR(on_path(folded, "nic"), on_path(whole, "nic"), 1e-12);
    ASSERT_EQ(folded.observed->tiers.size(), whole.observed->tiers.size());
    for (std::size_t i = 0; i < whole.observed->tiers.size(); ++i) {
        EXPECT_NEAR(folded.observed->tiers[i].bytes / whole.observed->tiers[i].bytes, 1, 1e-9);
    }
    EXPECT_EQ(folded.observed->pairs.size(), whole.observed->pairs.size());
}

TEST(Scaling, TwiceTheNicsHalveWhatTheNetworkTakes)
{
    Options options;
    options.scaling.capacity[static_cast<std::size_t>(ResourceKind::nic)] = 2;
    const auto result = watched(ideal_cluster(4, 1), late_rank(), options);
    EXPECT_NEAR(result.step.base(), 3.5 + 0.06, 1e-9);
}

}  // namespace
}  // namespace sim::replay::test

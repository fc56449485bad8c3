#include <gtest/gtest.h>

#include "formats/trace_builder.hpp"
#include "formats/trace_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

// What a run records for a trace viewer.

namespace sim::replay::test
{
namespace
{

/// 1 ms of compute, then an all-reduce of 2 GB over two ranks: 2 x 1/2 x 2 GB / 400 GB/s, 5 ms.
formats::Timeline timeline(engine::Kind engine, Fold fold)
{
    formats::TraceBuilder builder{"by hand", 2};
    const auto kernel = builder.label("kernel");
    const auto reduce = builder.label("reduce");
    builder.group("all", {0, 1});
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        formats::TraceNode node;
        node.label = kernel;
        node.seconds = 1e-3;
        builder.add(rank, node, {});
        node.label = reduce;
        node.kind = formats::TraceKind::collective;
        node.size = 2'000'000'000;
        builder.add(rank, node, {0});
    }
    const auto graph = formats::trace_graph(builder.take());
    const auto cluster = ideal_cluster(1, 2);
    Job job{cluster, graph};
    job.steps = 1;
    Options options{engine, fold};
    options.timeline = true;
    return replay::run(job, options).timeline;
}

TEST(TimelineOfARun, HasASpanOfEveryTaskAndHowBusyLinksWere)
{
    for (const auto engine : {engine::Kind::native, engine::Kind::simgrid}) {
        const auto found = timeline(engine, Fold::automatic);
        ASSERT_EQ(found.tracks.size(), 1U);
        EXPECT_EQ(found.tracks[0].name, "rank 0 and 1 like it");
        ASSERT_EQ(found.spans.size(), 2U);
        EXPECT_EQ(found.labels[found.spans[0].label], "kernel");
        EXPECT_NEAR(found.spans[0].end, 1e-3, 1e-12);
        EXPECT_EQ(found.labels[found.spans[1].label], "reduce");
        EXPECT_NEAR(found.spans[1].begin, 1e-3, 1e-12);
        EXPECT_NEAR(found.spans[1].end, 6e-3, 1e-9);
        // The links are idle for 1 ms, then full.
        for (const auto& counter : found.counters) {
            if (counter.name == "nvlink") {
                ASSERT_GE(counter.samples.size(), 2U);
                EXPECT_NEAR(counter.samples[0].mean, 0, 1e-9);
                EXPECT_NEAR(counter.samples[1].busiest, 1, 1e-6);
            }
        }
    }
}

/// Ranks of one class have one track also when each was simulated.
TEST(TimelineOfARun, HasATrackAClass)
{
    EXPECT_EQ(timeline(engine::Kind::native, Fold::off).tracks.size(), 1U);
}

}  // namespace
}  // namespace sim::replay::test

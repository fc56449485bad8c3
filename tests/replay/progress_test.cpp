#include "replay/progress.hpp"

#include <gtest/gtest.h>

#include "replay/graph_writer.hpp"

namespace sim::replay::test
{
namespace
{

const RankId kRank{0};

void end(Progress& progress, std::uint32_t stream)
{
    progress.cursor(kRank, stream).head = Head::running;
    progress.end_head(kRank, stream);
}

TEST(Progress, ADependenceIsMetOnceItsStreamHasPassedIt)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "other"}};
    writer.recorded(0, "a", 1);
    const auto b = writer.recorded(0, "b", 1);
    writer.recorded(1, "c", 1, {on(b)});
    add_ranks(graph, {writer.done()}, 0);
    Progress progress{graph, 2};

    ASSERT_NE(progress.unmet(kRank, 1), nullptr);
    end(progress, 0);
    ASSERT_NE(progress.unmet(kRank, 1), nullptr);
    EXPECT_EQ(progress.unmet(kRank, 1)->position, b.position);
    end(progress, 0);
    EXPECT_EQ(progress.unmet(kRank, 1), nullptr);
}

TEST(Progress, ADependenceOnTheStepBeforeIsMetInTheFirstStep)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "other"}};
    writer.recorded(0, "a", 1, {on_last_step({1, 0})});
    writer.recorded(1, "b", 1);
    add_ranks(graph, {writer.done()}, 0);
    Progress progress{graph, 2};

    EXPECT_EQ(progress.unmet(kRank, 0), nullptr);
    end(progress, 0);
    EXPECT_NE(progress.unmet(kRank, 0), nullptr);
    end(progress, 1);
    EXPECT_EQ(progress.unmet(kRank, 0), nullptr);
}

TEST(Progress, AStreamThatHasRunAllItsStepsHasNoHead)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "empty"}};
    writer.recorded(0, "a", 1);
    add_ranks(graph, {writer.done()}, 0);
    Progress progress{graph, 2};

    EXPECT_EQ(progress.head(kRank, 1), nullptr);
    end(progress, 0);
    EXPECT_NE(progress.head(kRank, 0), nullptr);
    end(progress, 0);
    EXPECT_EQ(progress.head(kRank, 0), nullptr);
}

TEST(Progress, TheLastComputeTaskEndsTheStepEvenWhenOtherStreamsAreBehind)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "other"}};
    writer.recorded(0, "a", 1);
    writer.recorded(1, "b", 1);
    add_ranks(graph, {writer.done()}, 0);
    Progress progress{graph, 2};

    progress.cursor(kRank, 0).head = Head::running;
    EXPECT_TRUE(progress.end_head(kRank, 0));
    progress.cursor(kRank, 1).head = Head::running;
    EXPECT_FALSE(progress.end_head(kRank, 1));
}

TEST(Progress, WithoutComputeTasksTheSlowestStreamEndsTheStep)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "one", "two"}};
    writer.recorded(1, "a", 1);
    writer.recorded(2, "b", 1);
    add_ranks(graph, {writer.done()}, 0);
    Progress progress{graph, 2};

    progress.cursor(kRank, 1).head = Head::running;
    EXPECT_FALSE(progress.end_head(kRank, 1));
    progress.cursor(kRank, 2).head = Head::running;
    EXPECT_TRUE(progress.end_head(kRank, 2));
}

}  // namespace
}  // namespace sim::replay::test

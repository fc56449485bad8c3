#include "formats/trace_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "formats/trace_builder.hpp"
#include "formats/trace_graph.hpp"

namespace sim::formats
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

TraceNode compute(double seconds)
{
    TraceNode node;
    node.seconds = seconds;
    return node;
}

TraceNode collective(std::uint32_t group, std::int64_t size = 8)
{
    TraceNode node;
    node.kind = TraceKind::collective;
    node.group = group;
    node.size = size;
    return node;
}

TraceNode message(TraceKind kind, std::uint32_t peer, std::int64_t size = 8)
{
    TraceNode node;
    node.kind = kind;
    node.peer = peer;
    node.size = size;
    return node;
}

std::string refusal(const Trace& trace)
{
    try {
        (void)order_trace(trace);
    } catch (const InputError& error) {
        return error.what();
    }
    return "ordered";
}

TEST(TraceOrder, ACycleIsNamed)
{
    TraceBuilder builder{"by hand", 1};
    builder.label("a");
    builder.add(0, compute(1), {1});
    builder.add(0, compute(1), {0});
    EXPECT_THAT(refusal(builder.take()),
                HasSubstr("rank 0: its dependences form a cycle: node 0 \"a\" waits for 1 \"a\" "
                          "waits for 0"));
}

/// Every rank sends to the next before it receives: with a send that waits for its receiver nobody
/// would ever start.
TEST(TraceOrder, ARingOfSendsDoesNotWaitForItsReceivers)
{
    TraceBuilder builder{"by hand", 3};
    builder.label("m");
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        builder.add(rank, message(TraceKind::send, (rank + 1) % 3), {});
        builder.add(rank, message(TraceKind::receive, (rank + 2) % 3), {0});
    }
    const auto order = order_trace(builder.take());
    EXPECT_THAT(order.starts[1], ElementsAre(0U, 1U));
}

/// Ranks 0 and 1 reduce among themselves before the reduction of all, rank 2 comes at once (U47).
TEST(TraceOrder, RanksMayCallTheirGroupsInDifferentOrders)
{
    TraceBuilder builder{"by hand", 3};
    builder.label("c");
    const auto all = builder.group("all", {0, 1, 2});
    const auto part = builder.group("part", {0, 1});
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        builder.add(rank, collective(part), {});
        builder.add(rank, collective(all), {0});
    }
    builder.add(2, collective(all), {});
    const auto order = order_trace(builder.take());
    EXPECT_EQ(order.starts[2].size(), 1U);
    EXPECT_EQ(order.meetings[1][1].sequence, 0U);
}

TEST(TraceOrder, GroupsThatAreReachedCrosswiseNeverStartAndAreSaid)
{
    TraceBuilder builder{"by hand", 2};
    builder.label("c");
    const auto a = builder.group("a", {0, 1});
    const auto b = builder.group("b", {0, 1});
    builder.add(0, collective(a), {});
    builder.add(0, collective(b), {0});
    builder.add(1, collective(b), {});
    builder.add(1, collective(a), {0});
    EXPECT_THAT(refusal(builder.take()), HasSubstr("2 of 2 nodes never start"));
}

TEST(TraceOrder, MembersThatDisagreeAreSaid)
{
    TraceBuilder sizes{"by hand", 2};
    sizes.label("c");
    sizes.group("all", {0, 1});
    sizes.add(0, collective(0, 8), {});
    sizes.add(1, collective(0, 16), {});
    EXPECT_THAT(refusal(sizes.take()), HasSubstr("(all_reduce, 16 B) meets node 0 \"c\" of rank 0 "
                                                 "(all_reduce, 8 B)"));
    TraceBuilder counts{"by hand", 2};
    counts.label("c");
    counts.group("all", {0, 1});
    counts.add(0, collective(0), {});
    EXPECT_THAT(refusal(counts.take()),
                HasSubstr("takes part in 0 collectives of process group \"all\", rank 0 in 1"));
    TraceBuilder messages{"by hand", 2};
    messages.label("m");
    messages.add(1, message(TraceKind::receive, 0), {});
    EXPECT_THAT(refusal(messages.take()),
                HasSubstr("receives 1 times from rank 0 what that sends 0"));
}

/// Both free at 0, the GPU takes the lower id first; the host works beside it.
TEST(TraceOrder, ALaneDoesOneThingAtATime)
{
    TraceBuilder builder{"by hand", 1};
    builder.label("k");
    builder.add(0, compute(2), {});
    builder.add(0, compute(1), {});
    auto host = compute(1);
    host.lane = 1;
    builder.add(0, host, {});
    const auto trace = builder.take();
    const auto graph = trace_graph(trace);
    ASSERT_EQ(graph.programs.size(), 1U);
    const auto& streams = graph.programs[0].streams;
    ASSERT_EQ(streams.size(), 2U);
    EXPECT_EQ(streams[0].tasks.size(), 3U);  // two kernels and the end
    EXPECT_EQ(streams[1].tasks.size(), 1U);
}

TEST(TraceOrder, RanksThatDoTheSameShareAProgram)
{
    TraceBuilder builder{"by hand", 4};
    builder.label("k");
    const auto left = builder.group("left", {0, 1});
    const auto right = builder.group("right", {2, 3});
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        builder.add(rank, compute(1), {});
        builder.add(rank, collective(rank < 2 ? left : right), {0});
    }
    const auto graph = trace_graph(builder.take());
    EXPECT_EQ(graph.programs.size(), 1U);
    EXPECT_EQ(graph.communicators.size(), 2U);
}

}  // namespace
}  // namespace sim::formats

#include "formats/chakra_write.hpp"

#include <gtest/gtest.h>

#include "formats/trace_builder.hpp"
#include "formats/trace_fixture.hpp"

// What we write as Chakra 0.0.4 says all that we read.

namespace sim::formats::test
{
namespace
{

/// Everything a node can say: two lanes, host, work without a time, odd sizes and sub-microseconds.
Trace written_trace()
{
    TraceBuilder builder{"by hand", 3};
    const auto kernel = builder.label("kernel");
    const auto gap = builder.label("gap");
    builder.group("part", {0, 2});
    builder.group("all", {0, 1, 2});
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        TraceNode node;
        node.label = kernel;
        node.seconds = 1.23456789e-7;
        builder.add(rank, node, {});
        node.seconds = 0;
        node.flops = 1e15 + 0.5;
        node.bytes = 12345.5;
        node.lane = 2;
        node.copies = true;
        builder.add(rank, node, {0});
        node = {};
        node.label = gap;
        node.host = true;
        node.seconds = 3e-6;
        builder.add(rank, node, {0, 1});
        node = {};
        node.kind = TraceKind::collective;
        node.collective = workload::CollectiveKind::all_gather;
        node.size = 1000;  // not a multiple of 3
        node.group = 1;
        node.seconds = 7.5e-6;
        builder.add(rank, node, {2});
        if (rank != 1) {
            node.collective = workload::CollectiveKind::reduce_scatter;
            node.size = 5'000'000'000;
            node.group = 0;
            builder.add(rank, node, {3});
        }
    }
    TraceNode send;
    send.label = kernel;
    send.kind = TraceKind::send;
    send.peer = 1;
    send.tag = -5;
    send.size = 77;
    builder.add(0, send, {4});
    send.kind = TraceKind::receive;
    send.peer = 0;
    builder.add(1, send, {});
    return builder.take();
}

void expect_same(const TraceNode& a, const TraceNode& b)
{
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.flops, b.flops);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.host, b.host);
    EXPECT_EQ(a.copies, b.copies);
    EXPECT_EQ(a.lane, b.lane);
    EXPECT_EQ(a.tag, b.tag);
    EXPECT_EQ(a.peer, b.peer);
    EXPECT_EQ(a.dependences, b.dependences);
}

TEST(ChakraWrite, IsReadBackWithoutALoss)
{
    const auto trace = written_trace();
    const ScratchFolder folder;
    write_chakra(trace, folder.path("out"), "job");
    const auto back = read(folder, "out/job", 3);
    EXPECT_TRUE(back.notes.empty());
    EXPECT_EQ(back.format, "Chakra 0.0.4");
    ASSERT_EQ(back.ranks.size(), 3U);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        const auto& mine = trace.ranks[rank];
        const auto& theirs = back.ranks[rank];
        ASSERT_EQ(mine.nodes.size(), theirs.nodes.size());
        EXPECT_EQ(mine.dependences, theirs.dependences);
        for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
            expect_same(mine.nodes[i], theirs.nodes[i]);
            EXPECT_EQ(trace.labels[mine.nodes[i].label], back.labels[theirs.nodes[i].label]);
            if (mine.nodes[i].kind == TraceKind::collective) {
                EXPECT_EQ(mine.nodes[i].collective, theirs.nodes[i].collective);
                EXPECT_EQ(trace.groups[mine.nodes[i].group].ranks,
                          back.groups[theirs.nodes[i].group].ranks);
            }
        }
    }
}

/// Copies are written out: each rank's file names its own group.
TEST(ChakraWrite, CopiesAreWrittenAsRanks)
{
    TraceBuilder builder{"by hand", 1};
    builder.label("c");
    builder.group("pair", {0, 1});
    TraceNode node;
    node.kind = TraceKind::collective;
    node.size = 8;
    builder.add(0, node, {});
    auto trace = builder.take();
    trace.copies = 4;
    trace.lattices = {{1, 2}};
    const ScratchFolder folder;
    write_chakra(trace, folder.path("out"), "job");
    const auto back = read(folder, "out", 4);
    ASSERT_EQ(back.ranks.size(), 4U);
    EXPECT_EQ(back.groups[back.ranks[3].nodes[0].group].ranks, (std::vector<std::uint32_t>{2, 3}));
}

}  // namespace
}  // namespace sim::formats::test

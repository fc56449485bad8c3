#include "fabric/graph.hpp"

#include <gtest/gtest.h>

#include "core/literals.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

struct Line {
    Graph graph;
    VertexId a, b, c;

    Line()
        : a{graph.add_vertex({VertexKind::leaf, "a"})},
          b{graph.add_vertex({VertexKind::leaf, "b"})},
          c{graph.add_vertex({VertexKind::leaf, "c"})}
    {
    }

    LinkId join(VertexId from, VertexId to)
    {
        Link link{};
        link.from = from;
        link.to = to;
        link.latency = 1_us;
        return graph.add_duplex(link, 2_us);
    }
};

TEST(Graph, ACableIsTwoLinksEachWithItsOwnLatency)
{
    Line line;
    const auto out = line.join(line.a, line.b);
    const auto back = Graph::reverse(out);
    const auto& links = line.graph.links();
    EXPECT_EQ(links.size(), 2U);
    EXPECT_EQ(links[back.index()].from, line.b);
    EXPECT_EQ(links[back.index()].to, line.a);
    EXPECT_EQ(links[out.index()].latency, 1_us);
    EXPECT_EQ(links[back.index()].latency, 2_us);
    EXPECT_EQ(Graph::reverse(back), out);
}

TEST(Graph, ParallelCablesHaveNamesOfTheirOwn)
{
    Line line;
    const auto first = line.join(line.a, line.b);
    const auto second = line.join(line.a, line.b);
    const auto& links = line.graph.links();
    EXPECT_EQ(links[first.index()].name, "a->b");
    EXPECT_EQ(links[second.index()].name, "a->b#2");
    EXPECT_EQ(links[Graph::reverse(second).index()].name, "b->a#2");
}

TEST(Graph, LinksLeaveAVertexInTheOrderTheyWereAdded)
{
    Line line;
    const auto to_c = line.join(line.a, line.c);
    const auto from_b = line.join(line.b, line.a);
    EXPECT_EQ(line.graph.out_links(line.a), (std::vector{to_c, Graph::reverse(from_b)}));
}

TEST(Graph, DistancesCountHopsAndSayWhatCannotBeReached)
{
    Line line;
    line.join(line.a, line.b);
    EXPECT_EQ(line.graph.distances_to(line.b), (std::vector<std::uint32_t>{1, 0, kUnreachable}));
    line.join(line.b, line.c);
    EXPECT_EQ(line.graph.distances_to(line.c), (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(Graph, ASearchThatEndsEarlyKnowsAllThatIsNearer)
{
    Line line;
    line.join(line.a, line.b);
    line.join(line.b, line.c);
    EXPECT_EQ(line.graph.distances_to(line.a, line.b),
              (std::vector<std::uint32_t>{0, 1, kUnreachable}));
}

}  // namespace
}  // namespace sim::fabric

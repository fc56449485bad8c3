#include "replay/load_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "replay/collective_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

/// All ranks work for a second, then reduce 1 GB together.
Result watched(int nodes, int gpus, Fold fold = Fold::automatic)
{
    auto cluster = ideal_cluster(nodes, gpus);
    OneCollective one;
    one.collective = {CollectiveKind::all_reduce, Bytes::of(1'000'000'000), 0, 0};
    one.members = first_ranks(static_cast<std::uint32_t>(nodes * gpus));
    one.before.assign(one.members.size(), 1);
    const auto graph = graph_of(one);
    Options options;
    options.watch = true;
    options.fold = fold;
    return run(Job{cluster, graph}, options);
}

double mean_of_nics(const Result& result)
{
    const auto found = std::find_if(result.resources.begin(), result.resources.end(),
                                    [](const ResourceClass& r) { return r.name == "nic"; });
    return found->mean_utilisation;
}

TEST(LoadMap, HasABoxForEveryNodeAndSwitchAndALineForTheirCables)
{
    const auto map = watched(4, 2).observed->load;
    ASSERT_EQ(map.boxes.size(), 5);
    EXPECT_EQ(map.boxes[0].name, "node0");
    EXPECT_EQ(map.boxes[4].tier, "leaf");
    ASSERT_EQ(map.ways.size(), 4);  // each node's two NICs to the leaf
    for (const auto& way : map.ways) {
        EXPECT_EQ(way.kind, "nic");
        EXPECT_EQ(way.cables, 2);
        EXPECT_EQ(way.to, 4);
        EXPECT_LE(way.mean, way.peak);
    }
}

TEST(LoadMap, LoadsSumToTheUseOfTheClass)
{
    for (const auto fold : {Fold::automatic, Fold::off}) {
        const auto result = watched(4, 2, fold);
        double cables = 0;
        double use = 0;
        for (const auto& way : result.observed->load.ways) {
            cables += static_cast<double>(way.cables);
            use += static_cast<double>(way.cables) * way.mean;
        }
        EXPECT_GT(use, 0);
        EXPECT_NEAR(use / cables, mean_of_nics(result), 1e-9);
        EXPECT_GT(result.observed->load.boxes[0].inside, 0);
    }
}

TEST(LoadMap, NeighboursShareABoxWhenATierHasTooMany)
{
    // 40 nodes: two a box.
    const auto result = watched(40, 1);
    const auto& boxes = result.observed->load.boxes;
    ASSERT_EQ(boxes.size(), 21);
    EXPECT_EQ(boxes[0].name, "node0 to node1");
    EXPECT_EQ(boxes[19].name, "node38 to node39");
    EXPECT_EQ(boxes[0].members, 2);
    EXPECT_EQ(result.observed->load.ways[0].cables, 2);
}

}  // namespace
}  // namespace sim::replay::test

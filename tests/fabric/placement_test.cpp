#include "fabric/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using spec::PlacementSpec;
using testing::ElementsAre;

/// Six nodes of two GPUs, two on each of three leaves.
std::vector<std::uint32_t> placed(const PlacementSpec& placement, std::uint64_t seed = 1)
{
    auto cluster = test::bare_cluster(6, 2);
    auto& network = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    network.nodes_per_leaf = 2;
    network.leaf = network.spine = test::ample_switch();
    std::vector<std::uint32_t> gpus;
    for (const auto gpu : place(build(cluster), placement, seed)) {
        gpus.push_back(gpu.index());
    }
    return gpus;
}

TEST(Placement, PackedRanksFillTheNodesInOrder)
{
    EXPECT_THAT(placed({}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(Placement, RoundRobinDealsNodesOverTheLeaves)
{
    // Nodes 0, 2, 4 are the first of their leaves, then 1, 3, 5.
    EXPECT_THAT(placed({.order = PlacementSpec::Order::round_robin}),
                ElementsAre(0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11));
}

TEST(Placement, RoundRobinByRankDealsRanksOverTheNodes)
{
    EXPECT_THAT(
        placed({.order = PlacementSpec::Order::round_robin, .unit = PlacementSpec::Unit::rank}),
        ElementsAre(0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11));
}

TEST(Placement, ListedHostsAreFilledInTheirOrderAndNoOthers)
{
    EXPECT_THAT(placed({.order = PlacementSpec::Order::listed, .hosts = {5, 0}}),
                ElementsAre(10, 11, 0, 1));
}

TEST(Placement, RandomKeepsNodesWholeAndFollowsTheSeed)
{
    const PlacementSpec random{.order = PlacementSpec::Order::random};
    const auto first = placed(random, 1);
    EXPECT_EQ(first, placed(random, 1));
    auto sorted = first;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, placed({}));
    for (std::size_t rank = 0; rank < first.size(); rank += 2) {
        EXPECT_EQ(first[rank] + 1, first[rank + 1]);
    }
    // 1 in 720 orders is the packed one; of 20 seeds all being it would be no draw.
    int moved = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        moved += placed(random, seed) != placed({}) ? 1 : 0;
    }
    EXPECT_GT(moved, 15);
}

TEST(Placement, RandomByRankShufflesEveryGpu)
{
    const auto shuffled =
        placed({.order = PlacementSpec::Order::random, .unit = PlacementSpec::Unit::rank});
    auto sorted = shuffled;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, placed({}));
    EXPECT_NE(shuffled, sorted);
}

}  // namespace
}  // namespace sim::fabric

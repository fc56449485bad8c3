#include "fabric/dgx1_node.hpp"

#include <gtest/gtest.h>

#include <map>

#include "fabric/nodes.hpp"

namespace sim::fabric
{
namespace
{

TEST(Dgx1Node, GivesEveryGpuSixLinksToFourOthers)
{
    const auto fabric = build(test::pair_of(spec::Dgx1Spec{}, 8));
    std::map<VertexId, std::pair<int, std::uint32_t>> of_gpu;
    for (const auto& link : fabric.graph.links()) {
        if (link.kind == LinkKind::nvlink) {
            of_gpu[link.from].first += 1;
            of_gpu[link.from].second += link.cables;
        }
    }
    ASSERT_EQ(of_gpu.size(), 16U);
    for (const auto& [gpu, count] : of_gpu) {
        EXPECT_EQ(count.first, 4);
        EXPECT_EQ(count.second, 6U);
    }
}

TEST(Dgx1Node, NeighboursUseTheirOwnLinksAndOthersOneGpuBetween)
{
    const auto cluster = test::pair_of(spec::Dgx1Spec{}, 8);
    EXPECT_EQ(test::words(cluster, 0, 3), "node0/gpu0->node0/gpu3");
    EXPECT_NEAR(test::rate(cluster, 0, 3), 400e9 * 2 / 6, 1);
    EXPECT_NEAR(test::rate(cluster, 0, 1), 400e9 / 6, 1);
    // 0 and 5 share the neighbours 1 and 4.
    EXPECT_EQ(test::words(cluster, 0, 5),
              "node0/gpu0->node0/gpu1 node0/gpu1->node0/gpu5 node0/gpu0->node0/gpu4 "
              "node0/gpu4->node0/gpu5");
}

}  // namespace
}  // namespace sim::fabric

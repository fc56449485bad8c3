#include "fabric/xgmi_node.hpp"

#include <gtest/gtest.h>

#include "fabric/nodes.hpp"

namespace sim::fabric
{
namespace
{

TEST(XgmiNode, JoinsEveryPairWithAnEqualPart)
{
    const auto cluster = test::pair_of(spec::XgmiSpec{}, 8);
    // 8 x 7 / 2 a node.
    EXPECT_EQ(test::cables(test::described(cluster), LinkKind::nvlink), 2 * 28);
    EXPECT_EQ(test::words(cluster, 2, 6), "node0/gpu2->node0/gpu6");
    EXPECT_NEAR(test::rate(cluster, 2, 6), 400e9 / 7, 1);
}

TEST(XgmiNode, OfOneGpuHasNoLinks)
{
    EXPECT_EQ(test::cables(test::described(test::pair_of(spec::XgmiSpec{}, 1)), LinkKind::nvlink),
              0);
}

}  // namespace
}  // namespace sim::fabric

#include "fabric/drawing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using testing::HasSubstr;

spec::ClusterSpec pods()
{
    auto cluster = test::bare_cluster(128, 1);
    cluster.fabric.network =
        spec::FatTreeSpec{.radix = 8, .clos = test::clos(3, test::ample_switch())};
    return cluster;
}

TEST(Drawing, ShowsEveryNodeAndSwitchAndTheCablesOfAPair)
{
    auto cluster = test::round_cluster(4);
    const auto text = draw(build(cluster));
    EXPECT_THAT(text, HasSubstr("[label=\"node3\""));
    EXPECT_THAT(text, HasSubstr("[label=\"leaf1\""));
    // 16 cables between a leaf and the spine, 8 between a node and its leaf.
    EXPECT_THAT(text, HasSubstr("[label=\"16\"]"));
    EXPECT_THAT(text, HasSubstr("[label=\"8\"]"));
}

TEST(Drawing, ManyBoxesAreDrawnByGroupAndThenByTier)
{
    const auto fabric = build(pods());
    const auto boxes = [&](std::size_t most) {
        const auto text = draw(fabric, most);
        std::size_t count = 0;
        for (auto at = text.find("shape="); at != text.npos; at = text.find("shape=", at + 1)) {
            ++count;
        }
        return count;
    };
    // 128 nodes, 32 leaves, 32 spines, 16 cores; nodes, leaves and spines by 8 pods, cores
    // together.
    EXPECT_EQ(boxes(300), 208U);
    EXPECT_EQ(boxes(100), 25U);
    EXPECT_EQ(boxes(10), 4U);
    EXPECT_THAT(draw(fabric, 100), HasSubstr("pod3\\n4 x leaf"));
    EXPECT_THAT(draw(fabric, 10), HasSubstr("[label=\"128 x node\""));
}

}  // namespace
}  // namespace sim::fabric

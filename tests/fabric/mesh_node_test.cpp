#include "fabric/mesh_node.hpp"

#include <gtest/gtest.h>

#include "fabric/nodes.hpp"

namespace sim::fabric
{
namespace
{

TEST(MeshNode, HasTheListedPairsAndNoOther)
{
    // A bridge of two links between neighbours, as PCIe cards have: 0-1 and 2-3.
    auto cluster =
        test::pair_of(spec::MeshSpec{.links_per_gpu = 2, .pairs = {{{0, 1}, 2}, {{2, 3}, 1}}}, 4);
    EXPECT_NEAR(test::rate(cluster, 0, 1), 400e9, 1);
    EXPECT_NEAR(test::rate(cluster, 2, 3), 200e9, 1);
    // Without sockets in the description the network is the only way from 1 to 2.
    EXPECT_EQ(test::words(cluster, 1, 2),
              "node0/gpu1->node0/pcie1 node0/pcie1->node0/nic1 node0/nic1->switch "
              "switch->node0/nic2 node0/nic2->node0/pcie2 node0/pcie2->node0/gpu2");
}

}  // namespace
}  // namespace sim::fabric

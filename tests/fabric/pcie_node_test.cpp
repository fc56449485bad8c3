#include "fabric/pcie_node.hpp"

#include <gtest/gtest.h>

#include "fabric/nodes.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

TEST(PcieNode, GpusMeetInTheirSwitchOrTheirSockets)
{
    auto cluster = test::pair_of(spec::PcieNodeSpec{}, 4);
    auto& node = cluster.node;
    node.nics = 2;
    node.nic_of_gpu = {0, 0, 1, 1};
    node.host.sockets = 2;
    node.host.socket_of_gpu = {0, 0, 1, 1};
    node.host.socket_of_nic = {0, 1};
    node.host.socket_link = {20_GBps, 0.5_us};
    EXPECT_EQ(test::cables(test::described(cluster), LinkKind::nvlink), 0);
    EXPECT_EQ(test::words(cluster, 0, 1), "node0/gpu0->node0/pcie0 node0/pcie0->node0/gpu1");
    EXPECT_EQ(test::words(cluster, 0, 2),
              "node0/gpu0->node0/pcie0 node0/pcie0->node0/cpu0 node0/cpu0->node0/cpu1 "
              "node0/cpu1->node0/pcie1 node0/pcie1->node0/gpu2");
    EXPECT_DOUBLE_EQ(test::rate(cluster, 0, 2), 20e9);
}

}  // namespace
}  // namespace sim::fabric

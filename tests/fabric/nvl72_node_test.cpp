#include "fabric/nvl72_node.hpp"

#include <gtest/gtest.h>

#include "fabric/nodes.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

spec::ClusterSpec racks()
{
    auto cluster = test::pair_of(spec::Nvl72Spec{}, 72);
    auto& host = cluster.node.host;
    host.sockets = 36;
    host.nic_under_switch = false;
    host.socket_of_gpu = spec::spread_evenly(72, 36);
    host.socket_of_nic = spec::spread_evenly(72, 36);
    host.c2c = {450_GBps, 0.25_us};
    return cluster;
}

TEST(Nvl72Node, JoinsSeventyTwoGpusThroughNineSwitchTrays)
{
    const auto found = test::described(racks());
    EXPECT_EQ(found.gpus, 144U);
    EXPECT_EQ(test::switches(found, VertexKind::nvswitch), 18);
    EXPECT_EQ(test::cables(found, LinkKind::nvlink), 2 * 72 * 9);
    EXPECT_EQ(test::cables(found, LinkKind::c2c), 144);
}

TEST(Nvl72Node, TraysTogetherCarryWhatTheGpuHas)
{
    EXPECT_NEAR(test::rate(racks(), 0, 71), 400e9, 1);
}

TEST(Nvl72Node, LeavesTheRackThroughItsSocket)
{
    EXPECT_EQ(test::words(racks(), 5, 72 + 5),
              "node0/gpu5->node0/cpu2 node0/cpu2->node0/nic5 node0/nic5->switch "
              "switch->node1/nic5 node1/nic5->node1/cpu2 node1/cpu2->node1/gpu5");
}

}  // namespace
}  // namespace sim::fabric

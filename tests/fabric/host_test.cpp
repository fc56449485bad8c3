#include "fabric/host.hpp"

#include <gtest/gtest.h>

#include <map>

#include "fabric/host_path.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

/// Nodes on one switch, each of `gpus` GPUs and `nics` NICs, with Gen4 x16 slots without overhead:
/// 16 GT/s x 16 x 128/130 / 8 = 31.5 GB/s.
spec::ClusterSpec servers(int gpus, int nics)
{
    auto cluster = test::bare_cluster(2, gpus);
    cluster.node.nics = nics;
    cluster.node.nic_of_gpu = spec::spread_evenly(gpus, nics);
    cluster.node.pcie.generation = 4;
    cluster.node.nic.bandwidth = 25_GBps;
    cluster.fabric.network = spec::SingleSwitchSpec{test::ample_switch()};
    return cluster;
}

void give_sockets(spec::NodeSpec& node, int sockets)
{
    node.host.sockets = sockets;
    node.host.socket_of_gpu = spec::spread_evenly(node.gpus, sockets);
    node.host.socket_of_nic = spec::spread_evenly(node.nics, sockets);
    node.host.socket_link = {20_GBps, 0.5_us};
}

/// The rate each of the flows gets when all run at once and share every link alike.
double common_rate(const spec::ClusterSpec& cluster,
                   const std::vector<std::pair<GpuId, GpuId>>& flows)
{
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    std::map<LinkId, double> load;
    for (const auto& [from, to] : flows) {
        for (const auto& hop : router.route(from, to, 0).hops) {
            load[hop.link] += hop.fraction;
        }
    }
    double rate = 1e18;
    for (const auto& [id, flows_on] : load) {
        rate = std::min(rate, fabric.graph.links()[id.index()].bandwidth.base() / flows_on);
    }
    return rate;
}

TEST(Host, TrafficThatCrossesTheRootTwiceHalves)
{
    // Two nodes of 8 GPUs and one NIC exchange data, as a ring does: each NIC sends and receives.
    auto cluster = servers(8, 1);
    give_sockets(cluster.node, 1);
    const std::vector<std::pair<GpuId, GpuId>> ring{{GpuId{7}, GpuId{8}}, {GpuId{15}, GpuId{0}}};
    EXPECT_DOUBLE_EQ(common_rate(cluster, ring), 25e9);
    // Up and down again on the one slot between switch and root: what is sent and what is received
    // share either direction of its 31.5 GB/s.
    cluster.node.host.peer_through_root = true;
    EXPECT_NEAR(common_rate(cluster, ring), 31.508e9 / 2, 1e6);
}

TEST(Host, OneGpuUsesItsOwnNicHoweverManyThereAre)
{
    auto cluster = servers(1, 4);
    cluster.node.nic.bandwidth = 400_Gbps;
    cluster.node.pcie.generation = 5;
    // min(50 GB/s of the NIC, 63 GB/s of the slot), not 4 x 50.
    EXPECT_DOUBLE_EQ(common_rate(cluster, {{GpuId{0}, GpuId{1}}}), 50e9);
    cluster.node.nic.bandwidth = 800_Gbps;
    EXPECT_NEAR(common_rate(cluster, {{GpuId{0}, GpuId{1}}}), 63.015e9, 1e6);
}

TEST(Host, ANicOfTheOtherSocketCostsTheLinkBetweenThem)
{
    auto cluster = servers(2, 2);
    give_sockets(cluster.node, 2);
    cluster.node.host.nic_under_switch = false;
    cluster.node.nic_of_gpu = {0, 0};
    // GPU 1 is on socket 1 and its NIC on socket 0.
    EXPECT_DOUBLE_EQ(common_rate(cluster, {{GpuId{0}, GpuId{2}}}), 25e9);
    EXPECT_DOUBLE_EQ(common_rate(cluster, {{GpuId{1}, GpuId{2}}}), 20e9);
    const auto fabric = build(cluster);
    // gpu - cpu1 - cpu0 - nic.
    EXPECT_EQ(host_path(fabric, fabric.gpus[1], fabric.nics[0]).size(), 3U);
}

TEST(Host, SocketsOfDifferentBoardsAreNotJoined)
{
    auto node = servers(8, 4).node;
    give_sockets(node, 4);
    const auto sockets_joined = [&](int boards) {
        Fabric fabric;
        add_host(fabric, node, "rack", boards);
        std::size_t links = 0;
        for (const auto& link : fabric.graph.links()) {
            links += link.kind == LinkKind::socket ? 1 : 0;
        }
        return links / 2;
    };
    EXPECT_EQ(sockets_joined(1), 6U);  // 4 x 3 / 2
    EXPECT_EQ(sockets_joined(2), 2U);
    EXPECT_EQ(sockets_joined(4), 0U);
}

}  // namespace
}  // namespace sim::fabric

#include "fabric/custom.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

/// A group of 4 GPUs and one of 8, each with an uplink of 800 Gbps.
spec::ClusterSpec unequal_groups()
{
    auto cluster = test::bare_cluster(2, 8);
    spec::CustomSpec spec;
    spec.device = test::ample_switch();
    spec.nodes = {{"small", 4, {}}, {"big", 8, {}}};
    spec.switches = {{"left", spec::Tier::leaf, {}},
                     {"right", spec::Tier::leaf, {}},
                     {"top", spec::Tier::spine, {}}};
    spec.links = {{.from = "small", .to = "left"},
                  {.from = "big", .to = "right"},
                  {.from = "left", .to = "top", .bandwidth = 800_Gbps},
                  {.from = "right", .to = "top", .bandwidth = 400_Gbps, .cables = 2}};
    cluster.fabric.network = spec;
    return cluster;
}

std::string refusal(const spec::ClusterSpec& cluster)
{
    try {
        (void)build(cluster);
    } catch (const InputError& error) {
        return error.diagnostics().at(0).key + ": " + error.diagnostics().at(0).message;
    }
    return "built";
}

spec::CustomSpec& spec_of(spec::ClusterSpec& cluster)
{
    return std::get<spec::CustomSpec>(cluster.fabric.network);
}

TEST(Custom, GroupsMayBeUnequal)
{
    const auto fabric = build(unequal_groups());
    EXPECT_EQ(fabric.gpus.size(), 12U);
    EXPECT_EQ(fabric.node_of_gpu[3], NodeId{0});
    EXPECT_EQ(fabric.node_of_gpu[4], NodeId{1});
    EXPECT_EQ(fabric.graph.vertices()[fabric.gpus[11].index()].name, "big/gpu7");
    // Four NICs of 50 GB/s are above the one uplink of 100 GB/s that either group has.
    EXPECT_DOUBLE_EQ(max_flow_bisection(fabric).base(), 100e9);
}

TEST(Custom, RoutesCrossTheListedCables)
{
    const auto cluster = unequal_groups();
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    // gpu - pcie - nic - left - top - right - nic - pcie - gpu.
    const auto route = router.route(GpuId{0}, GpuId{11}, 0);
    EXPECT_EQ(route.hops.size(), 8U);
    // 4 PCIe crossings of 0.25, NIC 1, 4 cables of 0.5, 3 switches of 0.125.
    EXPECT_DOUBLE_EQ(route.latency.base(), 4.375e-6);
}

TEST(Custom, OneNicOfANodeCanBeNamed)
{
    auto cluster = unequal_groups();
    spec_of(cluster).nodes[0].nics = 2;
    spec_of(cluster).links[0].from = "small/nic0";
    spec_of(cluster).links.push_back({.from = "top", .to = "small/nic1"});
    const auto fabric = build(cluster);
    EXPECT_EQ(fabric.nics.size(), 10U);
    // GPUs 2 and 3 of the group are served by NIC 1.
    EXPECT_EQ(fabric.nic_of_gpu[2], fabric.nics[1]);
}

TEST(Custom, AnEndThatIsNotThereIsAnsweredWithTheNearestName)
{
    auto cluster = unequal_groups();
    spec_of(cluster).links[2].to = "tip";
    EXPECT_EQ(refusal(cluster),
              "cluster.fabric.links.2.to: there is no node, NIC or switch \"tip\"");
}

TEST(Custom, ANicWithoutACableIsNamed)
{
    auto cluster = unequal_groups();
    spec_of(cluster).links[0].from = "small/nic0";
    EXPECT_EQ(refusal(cluster), "cluster.fabric.links: lead to no switch from small/nic1");
}

TEST(Custom, NodesAreNotJoinedWithoutASwitch)
{
    auto cluster = unequal_groups();
    spec_of(cluster).links[0].to = "big";
    EXPECT_EQ(refusal(cluster),
              "cluster.fabric.links.0: joins \"small\" to \"big\", and neither "
              "end is another switch");
}

TEST(Custom, ASwitchHasNoMorePortsThanItsModel)
{
    auto cluster = unequal_groups();
    spec_of(cluster).device.max_ports = 9;  // right: 8 NICs and 2 cables up
    EXPECT_EQ(refusal(cluster),
              "cluster.fabric.switches: 10 cables end at right, but \"ample\" has 9 ports");
}

TEST(Custom, PartsThatNothingJoinsAreAnError)
{
    auto cluster = unequal_groups();
    spec_of(cluster).links.pop_back();
    EXPECT_EQ(refusal(cluster),
              "cluster.fabric: small/gpu0 and big/gpu0 are not connected (no "
              "cable leads from one to the other)");
}

}  // namespace
}  // namespace sim::fabric

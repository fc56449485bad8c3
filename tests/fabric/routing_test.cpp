#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;
using spec::Routing;

/// By name of the link; slots and NVLink left out.
std::map<std::string, double> network_part(const Fabric& fabric, const Route& route)
{
    std::map<std::string, double> part;
    for (const auto& hop : route.hops) {
        const auto& link = fabric.graph.links()[hop.link.index()];
        if (link.kind != LinkKind::pcie && link.kind != LinkKind::nvlink) {
            part[link.name] += hop.fraction;
        }
    }
    return part;
}

std::map<std::string, double> between(const spec::ClusterSpec& cluster, std::size_t from,
                                      std::size_t to)
{
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    return network_part(fabric, router.route(GpuId{from}, GpuId{to}, 0));
}

spec::ClusterSpec tree(int nodes, int radix, int tiers, Routing routing)
{
    auto cluster = test::bare_cluster(nodes, 1);
    cluster.fabric.network =
        spec::FatTreeSpec{.radix = radix, .clos = test::clos(tiers, test::ample_switch())};
    cluster.fabric.routing = routing;
    return cluster;
}

spec::ClusterSpec torus(std::vector<int> sides, Routing routing)
{
    int switches = 1;
    for (const int side : sides) {
        switches *= side;
    }
    auto cluster = test::bare_cluster(switches, 1);
    spec::TorusSpec spec;
    spec.sides = std::move(sides);
    spec.device = test::ample_switch();
    cluster.fabric.network = spec;
    cluster.fabric.routing = routing;
    return cluster;
}

/// One node a switch, two switches a group, one global port a switch: three groups.
spec::ClusterSpec small_dragonfly(Routing routing)
{
    auto cluster = test::bare_cluster(6, 1);
    cluster.fabric.network = spec::DragonflySpec{.nodes_per_switch = 1,
                                                 .switches_per_group = 2,
                                                 .global_ports = 1,
                                                 .device = test::ample_switch()};
    cluster.fabric.routing = routing;
    return cluster;
}

TEST(UpDown, AllThatGoesToOneNicLeavesALeafByOneLink)
{
    const auto cluster = tree(16, 4, 3, Routing::up_down);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    for (std::size_t to = 2; to < 16; ++to) {
        // Nodes 0 and 1 are on one leaf.
        auto one = network_part(fabric, router.route(GpuId{0}, GpuId{to}, 1));
        auto other = network_part(fabric, router.route(GpuId{1}, GpuId{to}, 2));
        one.erase(one.begin()->first);
        std::erase_if(one, [](const auto& use) { return use.first.starts_with("node0/"); });
        std::erase_if(other, [](const auto& use) { return use.first.starts_with("node1/"); });
        std::erase_if(one, [](const auto& use) { return use.second != 1; });
        for (const auto& [name, share] : one) {
            EXPECT_TRUE(other.contains(name)) << name << " to node" << to;
        }
    }
}

/// What a subnet manager's tables are made for: every node sends to the one `shift` after it, and
/// no two of the flows meet on a link of a full fat-tree.
TEST(UpDown, EveryShiftOfAFullFatTreeIsFreeOfContention)
{
    for (const int tiers : {2, 3}) {
        const int nodes = tiers == 3 ? 16 : 8;  // radix 4: 4^3/4 and 4^2/2
        const auto cluster = tree(nodes, 4, tiers, Routing::up_down);
        const auto fabric = build(cluster);
        const Router router{fabric, cluster.fabric, 1};
        for (std::size_t shift = 1; shift < fabric.gpus.size(); ++shift) {
            std::map<std::string, double> load;
            for (std::size_t from = 0; from < fabric.gpus.size(); ++from) {
                const GpuId to{(from + shift) % fabric.gpus.size()};
                for (const auto& [name, share] :
                     network_part(fabric, router.route(GpuId{from}, to, 0))) {
                    load[name] += share;
                }
            }
            for (const auto& [name, flows] : load) {
                EXPECT_LE(flows, 1) << name << ", shift " << shift;
            }
        }
    }
}

TEST(UpDown, NoPacketTurnsUpAgainOnATorus)
{
    // The root of a 3x3 torus is in the middle of a longest shortest path: with one root every
    // path first nears it and then leaves it.
    const auto cluster = torus({3, 3}, Routing::up_down);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    std::set<std::pair<std::string, std::string>> turns;
    for (std::size_t from = 0; from < 9; ++from) {
        for (std::size_t to = 0; to < 9; ++to) {
            if (from == to) {
                continue;
            }
            const Link* before = nullptr;
            for (const auto& hop : router.route(GpuId{from}, GpuId{to}, 0).hops) {
                EXPECT_EQ(hop.fraction, 1);
                const auto& link = fabric.graph.links()[hop.link.index()];
                if (link.kind != LinkKind::peer) {
                    continue;
                }
                if (before != nullptr && before->to == link.from) {
                    turns.emplace(before->name, link.name);
                }
                before = &link;
            }
        }
    }
    // Free of deadlock: the links can be numbered so that every turn goes to a higher number.
    std::map<std::string, int> number;
    for (std::size_t round = 0; round < 100; ++round) {
        for (const auto& [first, second] : turns) {
            number[second] = std::max(number[second], number[first] + 1);
        }
    }
    for (const auto& [name, least] : number) {
        EXPECT_LT(least, 36) << name;  // a cycle would have been counted round and round
    }
}

TEST(DimensionOrder, GoesTheShorterWayRoundSideAfterSide)
{
    const auto found = between(torus({5, 4}, Routing::dimension_order), 0, 4 * 4 + 1);
    // From (0,0) to (4,1): one step back on the first side, then one forward on the second.
    const std::map<std::string, double> expected{{"node0/nic0->switch0-0", 1},
                                                 {"switch0-0->switch4-0", 1},
                                                 {"switch4-0->switch4-1", 1},
                                                 {"switch4-1->node17/nic0", 1}};
    EXPECT_EQ(found, expected);
}

TEST(DimensionOrder, HalfGoesEachWayRoundWhenBothAreEquallyLong)
{
    const auto found = between(torus({4}, Routing::dimension_order), 0, 2);
    const std::map<std::string, double> expected{
        {"node0/nic0->switch0", 1}, {"switch0->switch1", 0.5}, {"switch1->switch2", 0.5},
        {"switch0->switch3", 0.5},  {"switch3->switch2", 0.5}, {"switch2->node2/nic0", 1}};
    EXPECT_EQ(found, expected);
    // A side of two that wraps has two cables between its ends, and both are used.
    const auto two = between(torus({2}, Routing::dimension_order), 0, 1);
    EXPECT_EQ(two.at("switch0->switch1"), 0.5);
    EXPECT_EQ(two.at("switch0->switch1#2"), 0.5);
}

TEST(DimensionOrder, AMeshHasOneWay)
{
    auto cluster = torus({4}, Routing::dimension_order);
    std::get<spec::TorusSpec>(cluster.fabric.network).wrap = {false};
    EXPECT_EQ(between(cluster, 0, 3).size(), 5U);  // 3 steps and 2 NIC cables
}

TEST(DimensionOrder, GoesTheOtherWayRoundADeadCable)
{
    const auto cluster = torus({5}, Routing::dimension_order);
    const auto fabric = build(cluster);
    std::vector<char> dead(fabric.graph.links().size(), 0);
    for (std::size_t i = 0; i < dead.size(); ++i) {
        dead[i] = fabric.graph.links()[i].name == "switch0->switch1" ? 1 : 0;
    }
    const Router router{fabric, cluster.fabric, 1, dead};
    // Forwards 1 step is barred in both directions; backwards it is 4.
    EXPECT_EQ(network_part(fabric, router.route(GpuId{0}, GpuId{1}, 0)).size(), 4U + 2);
    EXPECT_EQ(network_part(fabric, router.route(GpuId{1}, GpuId{0}, 0)).size(), 4U + 2);
}

// The small dragonfly is wired 0/0 - 1/1, 0/1 - 2/0, 1/0 - 2/1 (group/switch).
TEST(Minimal, TakesOneCableBetweenGroupsEvenWhereTwoAreAsShort)
{
    // 2/0 to 1/1: 2/0, 2/1, 1/0, 1/1 crosses between groups once; 2/0, 0/1, 0/0, 1/1 is as short.
    const auto found = between(small_dragonfly(Routing::minimal), 4, 3);
    const std::map<std::string, double> expected{{"node4/nic0->group2/switch0", 1},
                                                 {"group2/switch0->group2/switch1", 1},
                                                 {"group2/switch1->group1/switch0", 1},
                                                 {"group1/switch0->group1/switch1", 1},
                                                 {"group1/switch1->node3/nic0", 1}};
    EXPECT_EQ(found, expected);
    const auto even = between(small_dragonfly(Routing::even), 4, 3);
    EXPECT_EQ(even.at("group2/switch0->group0/switch1"), 0.5);
}

TEST(Valiant, GoesThroughTheThirdGroup)
{
    // 0/0 to 1/1 are neighbours; by group 2 it is 0/0, 0/1, 2/0, 2/1, 1/0, 1/1.
    const auto found = between(small_dragonfly(Routing::valiant), 0, 3);
    const std::map<std::string, double> expected{
        {"node0/nic0->group0/switch0", 1},     {"group0/switch0->group0/switch1", 1},
        {"group0/switch1->group2/switch0", 1}, {"group2/switch0->group2/switch1", 1},
        {"group2/switch1->group1/switch0", 1}, {"group1/switch0->group1/switch1", 1},
        {"group1/switch1->node3/nic0", 1}};
    EXPECT_EQ(found, expected);
}

TEST(Valiant, SharesAmongAllThirdGroups)
{
    auto cluster = test::bare_cluster(2 * 4 * 9, 1);
    cluster.fabric.network = spec::DragonflySpec{.nodes_per_switch = 2,
                                                 .switches_per_group = 4,
                                                 .global_ports = 2,
                                                 .device = test::ample_switch()};
    cluster.fabric.routing = Routing::valiant;
    // Nine groups: a flow from the first to the second goes through seven others, 1/7 each.
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    std::map<std::string, double> into_group;
    for (const auto& hop : router.route(GpuId{0}, GpuId{8}, 0).hops) {
        const auto& link = fabric.graph.links()[hop.link.index()];
        if (link.kind == LinkKind::global) {
            const auto& name = fabric.graph.vertices()[link.to.index()].name;
            into_group[name.substr(0, name.find('/'))] += hop.fraction;
        }
    }
    ASSERT_EQ(into_group.size(), 8U);
    for (const auto& [group, share] : into_group) {
        EXPECT_NEAR(share, group == "group1" ? 1 : 1.0 / 7, 1e-12) << group;
    }
}

TEST(Valiant, StaysInItsGroup)
{
    EXPECT_EQ(between(small_dragonfly(Routing::valiant), 0, 1),
              between(small_dragonfly(Routing::even), 0, 1));
}

/// The links of the network that one flow puts its queue pairs on.
std::vector<double> loads_of(const Fabric& fabric, const Route& route)
{
    std::vector<double> loads(fabric.graph.links().size(), 0);
    for (const auto& hop : route.hops) {
        loads[hop.link.index()] += hop.fraction;
    }
    return loads;
}

spec::ClusterSpec two_paths(Routing routing)
{
    auto cluster = test::bare_cluster(4, 1);
    auto& leaf_spine = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    leaf_spine.nodes_per_leaf = 2;
    leaf_spine.spines = 2;
    leaf_spine.leaf = leaf_spine.spine = test::ample_switch();
    cluster.fabric.routing = routing;
    return cluster;
}

TEST(Adaptive, TheSecondFlowTakesThePathThatTheFirstLeftFree)
{
    const auto cluster = two_paths(Routing::adaptive);
    const auto fabric = build(cluster);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Router router{fabric, cluster.fabric, seed};
        const auto first = router.route(GpuId{0}, GpuId{2}, 0);
        const auto loads = loads_of(fabric, first);
        for (const auto& hop : router.route(GpuId{1}, GpuId{3}, 0, loads).hops) {
            EXPECT_EQ(loads[hop.link.index()], 0);
        }
    }
}

TEST(Adaptive, QueuePairsOfOneFlowSpreadOverAllPaths)
{
    auto cluster = two_paths(Routing::adaptive);
    cluster.fabric.queue_pairs.per_connection = 4;
    const auto found = between(cluster, 0, 2);
    EXPECT_EQ(found.at("leaf0->spine0"), 0.5);
    EXPECT_EQ(found.at("leaf0->spine1"), 0.5);
}

TEST(Ugal, TakesTheShortestWayWhenNothingRunsAndADetourWhenItIsFull)
{
    const auto cluster = small_dragonfly(Routing::ugal);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    const auto alone = router.route(GpuId{0}, GpuId{3}, 0);
    EXPECT_EQ(network_part(fabric, alone), between(small_dragonfly(Routing::even), 0, 3));
    // With nine more on each of its links the shortest way takes ten times as long as an empty
    // detour of at most twice its hops.
    auto loads = loads_of(fabric, alone);
    for (auto& load : loads) {
        load *= 9;
    }
    const auto around = router.route(GpuId{0}, GpuId{3}, 0, loads);
    EXPECT_GT(around.hops.size(), alone.hops.size());
}

TEST(QueuePairs, WhatIsHashedDecidesHowManyPathsAreUsed)
{
    auto cluster = test::bare_cluster(4, 1);
    auto& leaf_spine = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    leaf_spine.nodes_per_leaf = 2;
    leaf_spine.spines = 8;
    leaf_spine.uplink = 100_Gbps;
    leaf_spine.leaf = leaf_spine.spine = test::ample_switch();
    cluster.fabric.routing = Routing::ecmp;
    cluster.fabric.connections = 4;
    cluster.fabric.queue_pairs.per_connection = 16;
    const auto uplinks = [&](spec::HashedBy hashed) {
        cluster.fabric.queue_pairs.hashed_by = hashed;
        const auto found = between(cluster, 0, 2);
        return std::count_if(found.begin(), found.end(),
                             [](const auto& use) { return use.first.starts_with("leaf0->spine"); });
    };
    EXPECT_EQ(uplinks(spec::HashedBy::nic_pair), 1);
    EXPECT_LE(uplinks(spec::HashedBy::connection), 4);
    // 64 draws of 8: one is missed with chance 8 (7/8)^64 = 0.002, two with less than 1e-5.
    EXPECT_GE(uplinks(spec::HashedBy::queue_pair), 7);
}

TEST(QueuePairs, TwoNicsHashedByAddressMeetOnOnePathWhateverTheLabel)
{
    auto cluster = two_paths(Routing::ecmp);
    cluster.fabric.queue_pairs.hashed_by = spec::HashedBy::nic_pair;
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 7};
    const auto first = network_part(fabric, router.route(GpuId{0}, GpuId{2}, 0));
    for (std::uint64_t label = 1; label < 20; ++label) {
        EXPECT_EQ(network_part(fabric, router.route(GpuId{0}, GpuId{2}, label)), first);
    }
}

TEST(CrossByNvlink, TrafficLeavesByTheReceiversRail)
{
    auto cluster = test::bare_cluster(4, 4);
    cluster.fabric.network =
        spec::RailOptimisedSpec{.nodes_per_block = 4, .clos = test::clos(2, test::ample_switch())};
    const auto plain = between(cluster, 0, 4 + 3);
    EXPECT_EQ(plain.size(), 4U);  // NIC, leaf, spine, leaf, NIC
    cluster.fabric.cross_by_nvlink = true;
    const std::map<std::string, double> expected{{"node0/nic3->leaf3", 1},
                                                 {"leaf3->node1/nic3", 1}};
    EXPECT_EQ(between(cluster, 0, 4 + 3), expected);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    const auto route = router.route(GpuId{0}, GpuId{7}, 0);
    EXPECT_EQ(fabric.graph.links()[route.hops.front().link.index()].name,
              "node0/gpu0->node0/nvswitch");
}

TEST(Routing, ARouteAroundADeadCableAvoidsBothItsDirections)
{
    for (const auto routing : {Routing::even, Routing::ecmp, Routing::up_down, Routing::adaptive}) {
        const auto cluster = two_paths(routing);
        const auto fabric = build(cluster);
        std::vector<char> dead(fabric.graph.links().size(), 0);
        for (std::size_t i = 0; i < dead.size(); ++i) {
            dead[i] = fabric.graph.links()[i].name == "spine0->leaf0" ? 1 : 0;
        }
        const Router router{fabric, cluster.fabric, 3, dead};
        for (const auto& [name, share] :
             network_part(fabric, router.route(GpuId{0}, GpuId{2}, 0))) {
            EXPECT_EQ(name.find("spine0"), name.npos) << name;
            EXPECT_EQ(share, 1);
        }
    }
}

}  // namespace
}  // namespace sim::fabric

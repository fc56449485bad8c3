#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/diagnostics.hpp"
#include "fabric/clusters.hpp"
#include "fabric/fabric.hpp"
#include "fabric/hgx_node.hpp"
#include "fabric/leaf_spine.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;
using test::round_cluster;

GpuId gpu(int node, int index) { return GpuId{static_cast<std::size_t>(node * 8 + index)}; }

/// Names of the links in order, each with its share unless it is all.
std::string words(const Fabric& fabric, const Route& route)
{
    std::string text;
    for (const auto& hop : route.hops) {
        text += (text.empty() ? "" : " ") + fabric.graph.links()[hop.link.index()].name;
        if (hop.fraction != 1) {
            text.append("*").append(std::to_string(hop.fraction), 0, 5);
        }
    }
    return text;
}

std::vector<LinkId> uplinks(const Fabric& fabric, const Route& route)
{
    std::vector<LinkId> links;
    for (const auto& hop : route.hops) {
        const auto& link = fabric.graph.links()[hop.link.index()];
        if (fabric.graph.vertices()[link.from.index()].kind == VertexKind::leaf &&
            link.kind == LinkKind::leaf_spine) {
            links.push_back(hop.link);
        }
    }
    return links;
}

/// What flows out of each vertex less what flows in: 1 at the source, -1 at the end, else 0.
std::map<VertexId, double> balance(const Fabric& fabric, const Route& route)
{
    std::map<VertexId, double> net;
    for (const auto& hop : route.hops) {
        const auto& link = fabric.graph.links()[hop.link.index()];
        net[link.from] += hop.fraction;
        net[link.to] -= hop.fraction;
    }
    return net;
}

TEST(Router, InsideANodeTrafficTakesNvlinkAlone)
{
    const auto cluster = round_cluster(1);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    const auto route = router.route(gpu(0, 2), gpu(0, 5), 0);
    EXPECT_EQ(words(fabric, route), "node0/gpu2->node0/nvswitch node0/nvswitch->node0/gpu5");
    EXPECT_DOUBLE_EQ(route.latency.base(), 1e-6);
}

TEST(Router, UnderOneLeafTrafficPassesEachNicAndSlotOnce)
{
    const auto cluster = round_cluster(2);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    const auto route = router.route(gpu(0, 2), gpu(1, 5), 0);
    EXPECT_EQ(words(fabric, route),
              "node0/gpu2->node0/pcie2 node0/pcie2->node0/nic2 node0/nic2->leaf0 "
              "leaf0->node1/nic5 node1/nic5->node1/pcie5 node1/pcie5->node1/gpu5");
    // 4 PCIe crossings of 0.25, one NIC of 1, 2 cables of 0.5, one switch of 0.125.
    EXPECT_DOUBLE_EQ(route.latency.base(), 3.125e-6);
}

TEST(Router, EveryTierHasCablesOfItsOwnLength)
{
    auto cluster = round_cluster(4);
    const auto latency = [&] {
        const auto fabric = build(cluster);
        return Router{fabric, cluster.fabric, 1}.route(gpu(0, 0), gpu(2, 0), 0).latency.base();
    };
    // 4 * 0.25 + 1 + 4 cables * 0.5 + 3 switches * 0.125, two of the cables between switches.
    EXPECT_DOUBLE_EQ(latency(), 4.375e-6);
    cluster.fabric.cable_times.nic = 0_s;
    EXPECT_DOUBLE_EQ(latency(), 3.375e-6);
    cluster.fabric.cable_times.leaf_spine = 2_us;
    EXPECT_DOUBLE_EQ(latency(), 6.375e-6);
}

TEST(Router, BetweenLeavesTrafficIsSpreadEvenlyOverTheSpines)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).spines = 4;
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    const auto route = router.route(gpu(0, 0), gpu(2, 0), 0);
    EXPECT_EQ(uplinks(fabric, route).size(), 4U);
    for (const auto& hop : route.hops) {
        const bool spine = fabric.graph.links()[hop.link.index()].kind == LinkKind::leaf_spine;
        EXPECT_EQ(hop.fraction, spine ? 0.25 : 1.0);
    }
    // 4 * 0.25 + 1 + 4 cables * 0.5 + 3 switches * 0.125.
    EXPECT_DOUBLE_EQ(route.latency.base(), 4.375e-6);
}

TEST(Router, AWiderCableTakesMoreOfASpreadFlow)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).spines = 2;
    auto fabric = build(cluster);
    // A second bundle as wide as the first between leaf 0 and spine 0, and from there to leaf 1.
    for (const auto& link : std::vector<Link>{fabric.graph.links()}) {
        const auto& to = fabric.graph.vertices()[link.to.index()].name;
        if (link.kind == LinkKind::leaf_spine && to == "spine0") {
            fabric.graph.add_duplex(link);
        }
    }
    const Router router{fabric, cluster.fabric, 1};
    const auto route = router.route(gpu(0, 0), gpu(2, 0), 0);
    // Three equal bundles leave leaf 0.
    ASSERT_EQ(uplinks(fabric, route).size(), 3U);
    for (const auto& hop : route.hops) {
        if (fabric.graph.links()[hop.link.index()].kind == LinkKind::leaf_spine) {
            EXPECT_DOUBLE_EQ(hop.fraction, 1.0 / 3);
        }
    }
}

RC_GTEST_PROP(Router, WhatEntersAVertexLeavesIt, ())
{
    auto cluster = round_cluster(2 * *rc::gen::inRange(1, 5));
    test::leaf_spine(cluster).spines = *rc::gen::element(1, 2, 4, 8);
    cluster.fabric.connections = *rc::gen::inRange(1, 5);
    cluster.fabric.routing = *rc::gen::element(spec::Routing::even, spec::Routing::ecmp);
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, *rc::gen::arbitrary<std::uint64_t>()};
    const auto gpus = static_cast<int>(fabric.gpus.size());
    const GpuId from{static_cast<std::size_t>(*rc::gen::inRange(0, gpus))};
    const GpuId to{static_cast<std::size_t>(*rc::gen::inRange(0, gpus))};
    RC_PRE(from != to);
    for (const auto& [vertex, net] : balance(fabric, router.route(from, to, 0))) {
        double expected = vertex == fabric.gpus[from.index()] ? 1 : 0;
        expected -= vertex == fabric.gpus[to.index()] ? 1 : 0;
        RC_ASSERT(std::abs(net - expected) < 1e-12);
        const bool gpu_between =
            fabric.graph.vertices()[vertex.index()].kind == VertexKind::gpu && expected == 0;
        RC_ASSERT(!gpu_between);
    }
}

/// Two nodes of one NIC on each of two leaves, and two spines: two paths between the leaves.
spec::ClusterSpec two_paths()
{
    auto cluster = round_cluster(4);
    cluster.node.nics = 1;
    cluster.node.nic_of_gpu = std::vector<int>(8, 0);
    test::leaf_spine(cluster).spines = 2;
    cluster.fabric.routing = spec::Routing::ecmp;
    return cluster;
}

TEST(Router, TwoHashedFlowsOnTwoPathsMeetHalfTheTime)
{
    const auto cluster = two_paths();
    const auto fabric = build(cluster);
    const int seeds = 2000;
    int met = 0;
    for (int seed = 0; seed < seeds; ++seed) {
        const Router router{fabric, cluster.fabric, static_cast<std::uint64_t>(seed)};
        const auto one = uplinks(fabric, router.route(gpu(0, 0), gpu(2, 0), 7));
        const auto other = uplinks(fabric, router.route(gpu(1, 0), gpu(3, 0), 7));
        ASSERT_EQ(one.size(), 1U);
        met += one == other ? 1 : 0;
    }
    // Binomial: mean 1/2, standard deviation sqrt(1/4 / 2000) = 0.0112; allowed is 4 of them.
    EXPECT_NEAR(met / static_cast<double>(seeds), 0.5, 0.045);
}

TEST(Router, AHashDependsOnItsWordsAlone)
{
    auto cluster = round_cluster(4);
    cluster.fabric.routing = spec::Routing::ecmp;
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 42};
    const Router again{fabric, cluster.fabric, 42};
    std::map<std::string, int> seen;
    for (std::uint64_t label = 0; label < 64; ++label) {
        const auto text = words(fabric, router.route(gpu(0, 0), gpu(2, 0), label));
        (void)again.route(gpu(1, 3), gpu(3, 1), label);
        EXPECT_EQ(text, words(fabric, again.route(gpu(0, 0), gpu(2, 0), label)));
        ++seen[text];
    }
    // 16 cables up and 16 down make 256 paths: 64 labels that all met would be no hash.
    EXPECT_GT(seen.size(), 32U);
}

TEST(Router, ConnectionsAreHashedEachOnItsOwn)
{
    auto cluster = round_cluster(4);
    cluster.fabric.routing = spec::Routing::ecmp;
    cluster.fabric.connections = 64;
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 42};
    const auto route = router.route(gpu(0, 0), gpu(2, 0), 0);
    // The chance that one of 16 cables gets none of 64 connections is 16 * (15/16)^64 = 0.26;
    // that four get none is below 1e-3.
    EXPECT_GT(uplinks(fabric, route).size(), 12U);
}

TEST(Router, A800GNicBehindGen5IsHeldByItsSlot)
{
    auto cluster = round_cluster(2);
    cluster.node.nic.bandwidth = 800_Gbps;
    const auto slowest = [&] {
        const auto fabric = build(cluster);
        const Router router{fabric, cluster.fabric, 1};
        Bandwidth least = 1_TBps;
        for (const auto& hop : router.route(gpu(0, 0), gpu(1, 0), 0).hops) {
            least = std::min(least, fabric.graph.links()[hop.link.index()].bandwidth);
        }
        return least.base();
    };
    cluster.node.pcie.generation = 5;
    EXPECT_NEAR(slowest(), 63.015e9, 1e6);  // 32 GT/s * 16 * 128/130 / 8
    cluster.node.pcie.generation = 6;
    EXPECT_DOUBLE_EQ(slowest(), 100e9);  // the slot's 121 GB/s no longer binds
}

void expect_no_route(const Router& router, GpuId from, GpuId to, const std::string& message)
{
    try {
        (void)router.route(from, to, 0);
        FAIL() << "found a route where there is no cable";
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message, message);
    }
}

TEST(Router, AMissingRouteNamesBothEnds)
{
    auto cluster = round_cluster(1);
    Fabric fabric = build(cluster);
    fabric.gpus.push_back(fabric.graph.add_vertex({VertexKind::gpu, "node1/gpu0"}));
    fabric.nic_of_gpu.push_back(fabric.nics[0]);
    fabric.node_of_gpu.push_back(NodeId{1});
    expect_no_route(Router{fabric, cluster.fabric, 1}, gpu(0, 3), gpu(1, 0),
                    "there is no route from node0/gpu3 to node1/gpu0");
}

TEST(Router, LeavesThatNoSpineJoinsHaveNoRoute)
{
    auto cluster = round_cluster(4);
    test::leaf_spine(cluster).spines = 0;
    Fabric fabric;
    for (int node = 0; node < 4; ++node) {
        add_hgx_node(fabric, cluster.node, "node" + std::to_string(node));
    }
    add_leaf_spine(fabric, cluster);
    for (const auto routing : {spec::Routing::even, spec::Routing::ecmp}) {
        cluster.fabric.routing = routing;
        expect_no_route(Router{fabric, cluster.fabric, 1}, gpu(0, 0), gpu(3, 7),
                        "there is no route from node0/gpu0 to node3/gpu7");
    }
}

}  // namespace
}  // namespace sim::fabric

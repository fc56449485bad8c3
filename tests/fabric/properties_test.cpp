#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

/// Some small network of every kind, nodes of two NICs.
spec::ClusterSpec any_network()
{
    const auto hub = test::ample_switch();
    auto cluster = test::bare_cluster(8, 2);
    switch (*rc::gen::inRange(0, 6)) {
        case 0: {
            // Radix 4 holds 4^3/4 = 16 NICs in three tiers, radix 8 holds 32 in two.
            const int tiers = *rc::gen::inRange(2, 4);
            cluster.fabric.network =
                spec::FatTreeSpec{.radix = tiers == 3 ? 4 : 8, .clos = test::clos(tiers, hub)};
            break;
        }
        case 1:
            cluster.fabric.network = spec::RailOptimisedSpec{
                .nodes_per_block = *rc::gen::element(2, 4), .clos = test::clos(2, hub)};
            break;
        case 2: {
            spec::MultiPlaneSpec planes{.joined = *rc::gen::arbitrary<bool>(),
                                        .rails = *rc::gen::arbitrary<bool>(),
                                        .nodes_per_leaf = *rc::gen::element(2, 4),
                                        .clos = test::clos(2, hub)};
            cluster.fabric.network = planes;
            break;
        }
        case 3: {
            spec::TorusSpec torus;
            torus.sides = *rc::gen::element(std::vector<int>{8}, std::vector<int>{4, 2},
                                            std::vector<int>{2, 2, 2}, std::vector<int>{1, 8});
            torus.wrap.assign(torus.sides.size(), *rc::gen::arbitrary<bool>());
            torus.device = hub;
            cluster.fabric.network = torus;
            break;
        }
        case 4:
            cluster.fabric.network = spec::DragonflySpec{
                .nodes_per_switch = 1, .switches_per_group = 2, .global_ports = 2, .device = hub};
            break;
        default:
            cluster.fabric.network = spec::SingleSwitchSpec{hub};
    }
    cluster.fabric.routing = *rc::gen::element(spec::Routing::even, spec::Routing::ecmp);
    cluster.fabric.connections = *rc::gen::inRange(1, 4);
    return cluster;
}

struct Drawn {
    spec::ClusterSpec cluster = any_network();
    Fabric fabric = build(cluster);
    Router router{fabric, cluster.fabric, *rc::gen::arbitrary<std::uint64_t>()};
    GpuId from{static_cast<std::size_t>(*rc::gen::inRange(0, 16))};
    GpuId to{static_cast<std::size_t>(*rc::gen::inRange(0, 16))};
};

RC_GTEST_PROP(Network, RoutesLoseNothingAndPassNoVertexTwice, ())
{
    Drawn drawn;
    RC_PRE(drawn.from != drawn.to);
    std::map<VertexId, double> net;
    std::map<VertexId, double> entering;
    for (const auto& hop : drawn.router.route(drawn.from, drawn.to, 0).hops) {
        const auto& link = drawn.fabric.graph.links()[hop.link.index()];
        net[link.from] += hop.fraction;
        net[link.to] -= hop.fraction;
        entering[link.to] += hop.fraction;
    }
    for (const auto& [vertex, left] : net) {
        const double expected = vertex == drawn.fabric.gpus[drawn.from.index()] ? 1
                                : vertex == drawn.fabric.gpus[drawn.to.index()] ? -1
                                                                                : 0;
        RC_ASSERT(std::abs(left - expected) < 1e-9);
        // A loop would bring more than the whole flow into some vertex.
        RC_ASSERT(entering[vertex] < 1 + 1e-9);
    }
}

RC_GTEST_PROP(Network, RoutesBetweenNodesAreShortest, ())
{
    Drawn drawn;
    const auto& fabric = drawn.fabric;
    RC_PRE(fabric.node_of_gpu[drawn.from.index()] != fabric.node_of_gpu[drawn.to.index()]);
    // Each unit of flow passes as many links as the shares add up to.
    double passed = 0;
    for (const auto& hop : drawn.router.route(drawn.from, drawn.to, 0).hops) {
        passed += hop.fraction;
    }
    const auto distances = fabric.graph.distances_to(fabric.nic_of_gpu[drawn.to.index()]);
    const auto between = distances[fabric.nic_of_gpu[drawn.from.index()].index()];
    // Two slots on either side. The plain search may go through a server where that is shorter,
    // which no route does.
    RC_ASSERT(passed >= between + 4 - 1e-9);
    if (std::get_if<spec::TorusSpec>(&drawn.cluster.fabric.network) != nullptr) {
        RC_ASSERT(std::abs(passed - (between + 4)) < 1e-9);
    }
}

RC_GTEST_PROP(Network, EvenRoutesAreAsLongBackAsForth, ())
{
    Drawn drawn;
    RC_PRE(drawn.from != drawn.to);
    RC_PRE(drawn.cluster.fabric.routing == spec::Routing::even);
    const auto forth = drawn.router.route(drawn.from, drawn.to, 0);
    const auto back = drawn.router.route(drawn.to, drawn.from, 0);
    RC_ASSERT(forth.hops.size() == back.hops.size());
    RC_ASSERT(std::abs((forth.latency - back.latency).base()) < 1e-15);
}

}  // namespace
}  // namespace sim::fabric

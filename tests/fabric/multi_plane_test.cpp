#include "fabric/multi_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

/// Four nodes of two NICs with two ports each, two nodes a leaf.
spec::ClusterSpec planes(bool joined)
{
    auto cluster = test::bare_cluster(4, 2);
    spec::MultiPlaneSpec spec;
    spec.joined = joined;
    spec.nodes_per_leaf = 2;
    spec.clos = test::clos(2, test::ample_switch());
    cluster.fabric.network = spec;
    return cluster;
}

TEST(MultiPlane, EveryNicHasAPortOnEveryPlane)
{
    const auto found = test::described(planes(false));
    // 8 NICs x 2 ports; 2 leaves and a spine a plane; 4 downlinks and as many uplinks a leaf.
    EXPECT_EQ(test::cables(found, LinkKind::nic), 16);
    EXPECT_EQ(test::switches(found, VertexKind::leaf), 4);
    EXPECT_EQ(test::switches(found, VertexKind::spine), 2);
    EXPECT_EQ(test::cables(found, LinkKind::leaf_spine), 16);
}

TEST(MultiPlane, JoinedPlanesShareTheirSpines)
{
    const auto found = test::described(planes(true));
    EXPECT_EQ(test::switches(found, VertexKind::leaf), 4);
    EXPECT_EQ(test::switches(found, VertexKind::spine), 1);
}

TEST(MultiPlane, PortsTogetherCarryWhatTheNicDoes)
{
    for (const bool joined : {false, true}) {
        const auto cluster = planes(joined);
        // 2 nodes x 2 NICs x 50 GB/s.
        EXPECT_DOUBLE_EQ(test::described(cluster).bisection.base(), 200e9);
        EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    }
}

TEST(MultiPlane, AFlowTakesBothPortsInEqualParts)
{
    for (const bool joined : {false, true}) {
        const auto cluster = planes(joined);
        const auto fabric = build(cluster);
        const Router router{fabric, cluster.fabric, 1};
        for (const auto to : {GpuId{2}, GpuId{6}}) {
            double out = 0;
            for (const auto& hop : router.route(GpuId{0}, to, 0).hops) {
                const auto& link = fabric.graph.links()[hop.link.index()];
                if (link.kind == LinkKind::nic && link.from == fabric.nics[0]) {
                    EXPECT_DOUBLE_EQ(hop.fraction, 0.5);
                    out += hop.fraction;
                }
            }
            EXPECT_DOUBLE_EQ(out, 1);
        }
    }
}

TEST(MultiPlane, HashedConnectionsStayOnOnePlane)
{
    auto cluster = planes(false);
    cluster.fabric.routing = spec::Routing::ecmp;
    const auto fabric = build(cluster);
    int first = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Router router{fabric, cluster.fabric, seed};
        std::string plane;
        for (const auto& hop : router.route(GpuId{0}, GpuId{6}, 0).hops) {
            const auto& to =
                fabric.graph.vertices()[fabric.graph.links()[hop.link.index()].to.index()];
            if (is_switch(to.kind)) {
                const auto own = to.name.substr(0, to.name.find('/'));
                EXPECT_TRUE(plane.empty() || plane == own);
                plane = own;
            }
        }
        first += plane == "plane0" ? 1 : 0;
    }
    // Binomial: 200, standard deviation 10; allowed is 4 of them.
    EXPECT_LT(std::abs(first - 200), 40);
}

TEST(MultiPlane, RailsHaveALeafEach)
{
    auto cluster = planes(false);
    std::get<spec::MultiPlaneSpec>(cluster.fabric.network).rails = true;
    // 2 blocks x 2 rails x 2 planes.
    EXPECT_EQ(test::switches(test::described(cluster), VertexKind::leaf), 8);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
}

}  // namespace
}  // namespace sim::fabric

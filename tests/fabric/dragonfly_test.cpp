#include "fabric/dragonfly.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

/// p nodes a switch, a switches a group, h global ports a switch.
spec::ClusterSpec dragonfly(int p, int a, int h)
{
    auto cluster = test::bare_cluster(p * a * (a * h + 1), 1);
    cluster.fabric.network = spec::DragonflySpec{.nodes_per_switch = p,
                                                 .switches_per_group = a,
                                                 .global_ports = h,
                                                 .device = test::ample_switch()};
    return cluster;
}

spec::DragonflySpec& spec_of(spec::ClusterSpec& cluster)
{
    return std::get<spec::DragonflySpec>(cluster.fabric.network);
}

TEST(Dragonfly, CanonicalHasOneCableBetweenEveryTwoGroups)
{
    // a = 4, h = 2, p = 2: 9 groups, 36 switches, 72 nodes.
    const auto found = test::described(dragonfly(2, 4, 2));
    EXPECT_EQ(test::switches(found, VertexKind::leaf), 36);
    EXPECT_EQ(test::cables(found, LinkKind::nic), 72);
    EXPECT_EQ(test::cables(found, LinkKind::peer), 9 * 6);  // 4 x 3 / 2 in a group
    EXPECT_EQ(test::cables(found, LinkKind::global), 9 * 8 / 2);
    // p + (a - 1) + h ports, every one used.
    EXPECT_EQ(found.tiers.at(0).most_ports, 2 + 3 + 2);
    // NIC, local, global, local, NIC.
    EXPECT_EQ(found.paths.diameter, 5);
    EXPECT_EQ(found.paths.fewest_paths, 1);
}

TEST(Dragonfly, EverySwitchUsesItsGlobalPortsAlike)
{
    const auto fabric = build(dragonfly(2, 4, 2));
    const auto& vertices = fabric.graph.vertices();
    for (std::size_t vertex = 0; vertex < vertices.size(); ++vertex) {
        if (is_switch(vertices[vertex].kind)) {
            int global = 0;
            for (const auto id : fabric.graph.out_links(VertexId{vertex})) {
                global += fabric.graph.links()[id.index()].kind == LinkKind::global ? 1 : 0;
            }
            EXPECT_EQ(global, 2) << vertices[vertex].name;
        }
    }
}

TEST(Dragonfly, FewerGroupsShareTheGlobalPorts)
{
    auto cluster = dragonfly(2, 4, 2);
    cluster.nodes = 2 * 4 * 4;
    spec_of(cluster).groups = 4;
    // 8 ports for 3 other groups: 2 each, 6 pairs.
    EXPECT_EQ(test::cables(test::described(cluster), LinkKind::global), 12);
    spec_of(cluster).links_per_pair = 1;
    EXPECT_EQ(test::cables(test::described(cluster), LinkKind::global), 6);
}

TEST(Dragonfly, ClosedFormAndFlowAgree)
{
    auto cluster = dragonfly(2, 4, 2);
    cluster.nodes = 2 * 4 * 4;
    spec_of(cluster).groups = 4;
    spec_of(cluster).links_per_pair = 1;
    // 2 x 2 pairs of groups across the middle, one cable of 50 GB/s each.
    EXPECT_DOUBLE_EQ(dragonfly_bisection(cluster)->base(), 4 * 50e9);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    // Nine groups do not halve.
    EXPECT_FALSE(dragonfly_bisection(dragonfly(2, 4, 2)).has_value());
    EXPECT_TRUE(test::described(dragonfly(2, 4, 2)).bisection_by_flow);
}

TEST(Dragonfly, MoreGroupsThanGlobalPortsReachAreRefused)
{
    auto cluster = dragonfly(1, 2, 1);
    spec_of(cluster).groups = 4;
    try {
        (void)build(cluster);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "a group has 2 global ports, but 1 to each of 3 others need 3");
    }
}

}  // namespace
}  // namespace sim::fabric

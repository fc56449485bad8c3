#include "fabric/rail_optimised.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

/// Scalable units of 32 nodes with 8 NICs of 400 Gbps, switches of 64 such ports.
spec::ClusterSpec units(int count)
{
    auto cluster = test::bare_cluster(32 * count, 8);
    spec::RailOptimisedSpec spec;
    spec.nodes_per_block = 32;
    spec.clos = test::clos(
        count > 8 ? 3 : 2,
        {.name = "64x400G", .capacity = 25.6_Tbps, .max_ports = 64, .latency = 0.125_us});
    cluster.fabric.network = spec;
    return cluster;
}

struct Row {
    int units;
    int leaves;
    int spines;
    int cores;
    int cables;  ///< between any two tiers
};

// docs.nvidia.com, DGX SuperPOD with DGX B200 reference architecture, table of fabric components.
constexpr Row kSuperPod[] = {{2, 16, 8, 0, 512},        {4, 32, 16, 0, 1024},
                             {8, 64, 32, 0, 2048},      {16, 128, 128, 64, 4096},
                             {32, 256, 256, 128, 8192}, {64, 512, 512, 256, 16384}};

TEST(RailOptimised, CountsWhatThePublishedSuperPodHas)
{
    for (const auto& row : kSuperPod) {
        const auto found = test::described(units(row.units));
        EXPECT_EQ(test::switches(found, VertexKind::leaf), row.leaves) << row.units;
        EXPECT_EQ(test::switches(found, VertexKind::spine), row.spines) << row.units;
        EXPECT_EQ(test::switches(found, VertexKind::core), row.cores) << row.units;
        EXPECT_EQ(test::cables(found, LinkKind::nic), row.cables) << row.units;
        EXPECT_EQ(test::cables(found, LinkKind::leaf_spine), row.cables) << row.units;
        EXPECT_EQ(test::cables(found, LinkKind::spine_core), row.cores > 0 ? row.cables : 0);
        EXPECT_DOUBLE_EQ(found.bisection / found.injection, 1) << row.units;
    }
}

/// Two blocks of two nodes with two rails.
spec::ClusterSpec small()
{
    auto cluster = test::bare_cluster(4, 2);
    spec::RailOptimisedSpec spec;
    spec.nodes_per_block = 2;
    spec.clos = test::clos(2, test::ample_switch());
    cluster.fabric.network = spec;
    return cluster;
}

GpuId gpu(std::size_t node, std::size_t index) { return GpuId{node * 2 + index}; }

TEST(RailOptimised, OneRailOfABlockMeetsOnOneLeaf)
{
    const auto cluster = small();
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    // gpu - pcie - nic - leaf - nic - pcie - gpu.
    EXPECT_EQ(router.route(gpu(0, 1), gpu(1, 1), 0).hops.size(), 6U);
    // Another rail: up to the only spine and down again.
    EXPECT_EQ(router.route(gpu(0, 1), gpu(1, 0), 0).hops.size(), 8U);
}

TEST(RailOptimised, WithoutCrossRailSpinesRailsDoNotMeet)
{
    auto cluster = small();
    std::get<spec::RailOptimisedSpec>(cluster.fabric.network).cross_rail = false;
    const auto fabric = build(cluster);
    const Router router{fabric, cluster.fabric, 1};
    EXPECT_EQ(router.route(gpu(0, 1), gpu(3, 1), 0).hops.size(), 8U);
    EXPECT_THROW((void)router.route(gpu(0, 1), gpu(3, 0), 0), InputError);
    EXPECT_EQ(test::switches(describe(cluster, fabric), VertexKind::spine), 2);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
}

TEST(RailOptimised, ClosedFormAndFlowAgree)
{
    auto cluster = small();
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    std::get<spec::RailOptimisedSpec>(cluster.fabric.network).clos.oversubscription = 2;
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(cluster), 1);
    EXPECT_DOUBLE_EQ(test::described(cluster).injection / test::described(cluster).bisection, 2);
}

TEST(RailOptimised, BlocksThatAreNotFullAreRefused)
{
    auto cluster = small();
    cluster.nodes = 3;
    try {
        (void)build(cluster);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message, "3 nodes do not fill blocks of 2");
    }
}

}  // namespace
}  // namespace sim::fabric

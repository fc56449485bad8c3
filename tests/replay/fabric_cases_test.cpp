#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "replay/collective_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

// Questions that users of other simulators asked, answered on whole runs.

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

/// One all-reduce of all GPUs.
double all_reduce(const spec::ClusterSpec& cluster, Bytes size, int gpus)
{
    OneCollective one{{CollectiveKind::all_reduce, size, 0, 0}, {}};
    for (int gpu = 0; gpu < gpus; ++gpu) {
        one.members.push_back(static_cast<std::uint32_t>(gpu));
    }
    const auto graph = graph_of(one);
    Job job{cluster, graph};
    job.steps = 1;
    return replay::run(job, {}).step.base() - 0.5;
}

/// Eight NPUs of one 50 GB/s port each on one switch, 10 ns away.
spec::ClusterSpec eight_on_a_switch(Bandwidth rate)
{
    auto cluster = ideal_cluster(8, 1);
    cluster.node.nic.bandwidth = rate;
    cluster.fabric.network = spec::SingleSwitchSpec{
        {.name = "switch", .capacity = rate * 64, .max_ports = 64, .latency = 10_ns}};
    return cluster;
}

TEST(FabricCases, ARingAllReduceOfEightOnOneSwitchMovesSevenEighthsTwice)
{
    // 2 x 7/8 x 100 MB / 50 GB/s = 3.50 ms, and 14 steps of 10 ns.
    EXPECT_NEAR(all_reduce(eight_on_a_switch(50_GBps), 100_MB, 8), 3.5e-3 + 14 * 10e-9, 1e-9);
}

TEST(FabricCases, AnyLinkSpeedWorks)
{
    for (const auto rate : {10_Gbps, 123.4_Gbps, 400_Gbps, 800_Gbps, 1600_Gbps}) {
        EXPECT_NEAR(all_reduce(eight_on_a_switch(rate), 100_MB, 8) /
                        (2 * 0.875 * (100_MB / rate).base() + 14 * 10e-9),
                    1, 1e-9);
    }
}

TEST(FabricCases, FourNvSwitchesOfAQuarterEachEqualOne)
{
    auto cluster = ideal_cluster(1, 8);
    const double one = all_reduce(cluster, 1_GB, 8);
    // 2 x 7/8 x 1 GB / 400 GB/s.
    EXPECT_NEAR(one, 4.375e-3, 1e-9);
    cluster.node.scale_up = spec::HgxSpec{.planes = 4};
    EXPECT_NEAR(all_reduce(cluster, 1_GB, 8), one, 1e-9);
}

/// Of four ranks the first sends to the last; the others only work.
workload::TaskGraph from_first_to_last(Bytes size)
{
    workload::TaskGraph graph;
    std::vector<ProgramId> programs;
    for (int rank = 0; rank < 4; ++rank) {
        ProgramWriter writer{graph, {"compute", "data"}};
        ProgramWriter::Dependences needs;
        if (rank == 0 || rank == 3) {
            needs = {on(writer.collective(1, {CollectiveKind::send_recv, size, 0, 0}, "send"))};
        }
        writer.recorded(0, "use", 0.5, needs);
        programs.push_back(writer.done());
    }
    add_ranks(graph, programs, 1);
    add_communicator(graph, Purpose::data, {0, 3}, {0});
    return graph;
}

TEST(FabricCases, AMissingRouteIsAnErrorNeverAFreeRide)
{
    // Rails without cross-rail spines or NVLink: GPUs of different rails cannot meet.
    auto cluster = ideal_cluster(2, 2);
    spec::RailOptimisedSpec rails{.nodes_per_block = 2, .cross_rail = false};
    rails.clos.leaf = {.name = "leaf", .capacity = 1000_TBps, .max_ports = 64, .latency = {}};
    rails.clos.spine = rails.clos.leaf;
    cluster.fabric.network = rails;
    const auto graph = from_first_to_last(1_MB);
    try {
        (void)replay::run({cluster, graph}, {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "there is no route from node0/gpu0 to node1/gpu1");
    }
}

TEST(FabricCases, CrossingByNvlinkMakesThatRoute)
{
    auto cluster = ideal_cluster(2, 2);
    spec::RailOptimisedSpec rails{.nodes_per_block = 2, .cross_rail = false};
    rails.clos.leaf = {.name = "leaf", .capacity = 1000_TBps, .max_ports = 64, .latency = {}};
    rails.clos.spine = rails.clos.leaf;
    cluster.fabric.network = rails;
    cluster.fabric.cross_by_nvlink = true;
    const auto graph = from_first_to_last(1_GB);
    Job job{cluster, graph};
    job.steps = 1;
    EXPECT_NEAR(replay::run(job, {}).step.base(), 0.02 + 0.5, 1e-9);
}

}  // namespace
}  // namespace sim::replay::test

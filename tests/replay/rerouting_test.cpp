#include <gtest/gtest.h>

#include <set>

#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "replay/graph_writer.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

constexpr double kWork = 0.5;  ///< seconds that need what was received

/// Rank i of the first half sends sizes[i] to rank i of the second half, all at once.
workload::TaskGraph sends(const std::vector<Bytes>& sizes)
{
    workload::TaskGraph graph;
    const auto half = static_cast<std::uint32_t>(sizes.size());
    std::vector<ProgramId> programs(2 * half);
    for (std::uint32_t rank = 0; rank < 2 * half; ++rank) {
        ProgramWriter writer{graph, {"compute", "data"}};
        // Not before the work of the step before, so that nobody is a step ahead.
        const auto done =
            writer.collective(1, {CollectiveKind::send_recv, sizes[rank % half], 0, 0}, "send",
                              {on_last_step({0, 0})});
        writer.recorded(0, "use", kWork, {on(done)});
        programs[rank] = writer.done();
    }
    add_ranks(graph, programs, 1);
    for (std::uint32_t rank = 0; rank < half; ++rank) {
        add_communicator(graph, Purpose::data, {rank, rank + half}, {0});
    }
    return graph;
}

/// So many nodes of one 50 GB/s NIC on each of two leaves, joined by two spines over 50 GB/s each.
spec::ClusterSpec two_spines(int nodes_per_leaf, spec::Routing routing)
{
    auto cluster = ideal_cluster(2 * nodes_per_leaf, 1);
    auto& network = std::get<spec::LeafSpineSpec>(cluster.fabric.network);
    network.nodes_per_leaf = nodes_per_leaf;
    network.oversubscription = nodes_per_leaf / 2.0;
    network.spines = 2;
    cluster.fabric.routing = routing;
    return cluster;
}

class Rerouting : public testing::TestWithParam<engine::Kind>
{
protected:
    /// Until the last send has ended.
    static double time(const spec::ClusterSpec& cluster, const std::vector<Bytes>& sizes,
                       std::uint64_t seed = 1)
    {
        const auto graph = sends(sizes);
        Job job{cluster, graph};
        job.steps = 1;
        job.seed = seed;
        return replay::run(job, {GetParam()}).step.base() - kWork;
    }
};

INSTANTIATE_TEST_SUITE_P(, Rerouting, testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

TEST_P(Rerouting, TwoAdaptiveFlowsOnTwoPathsNeverMeet)
{
    std::set<double> hashed;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        // 1 GB at 50 GB/s.
        EXPECT_NEAR(time(two_spines(2, spec::Routing::adaptive), {1_GB, 1_GB}, seed), 0.02, 1e-9);
        hashed.insert(time(two_spines(2, spec::Routing::ecmp), {1_GB, 1_GB}, seed));
    }
    // Hashed ones meet for about half of the seeds, and then take twice as long.
    EXPECT_NEAR(*hashed.begin(), 0.02, 1e-9);
    EXPECT_NEAR(*hashed.rbegin(), 0.04, 1e-9);
}

TEST_P(Rerouting, ATransferWaitsForConvergenceAndGoesOnOverWhatIsLeft)
{
    auto cluster = two_spines(2, spec::Routing::even);
    cluster.outages = {{"spine1", 10_ms, {}}};
    cluster.fabric.convergence = 30_ms;
    // Half has moved when a path dies; 30 ms nothing; the other half at the NIC's 50 GB/s.
    EXPECT_NEAR(time(cluster, {1_GB, 0_GB}), 0.01 + 0.03 + 0.01, 1e-9);
}

TEST_P(Rerouting, AnOutageThatEndsBeforeItIsKnownIsWaitedFor)
{
    auto cluster = two_spines(2, spec::Routing::even);
    cluster.outages = {{"leaf0->spine1", 10_ms, 20_ms}};
    cluster.fabric.convergence = 30_ms;
    EXPECT_NEAR(time(cluster, {1_GB, 0_GB}), 0.03, 1e-9);
}

TEST_P(Rerouting, APathThatReturnsIsUsedAgainOnceItIsKnown)
{
    auto cluster = two_spines(2, spec::Routing::even);
    cluster.outages = {{"spine1", 10_ms, 22_ms}};
    cluster.fabric.convergence = 2_ms;
    // Each of two sends: 0.5 GB by 10 ms; nothing until 12; by 24 ms 0.3 GB over half of one spine;
    // 0.2 GB at 50 GB/s again.
    EXPECT_NEAR(time(cluster, {1_GB, 1_GB}), 0.028, 1e-9);
}

TEST_P(Rerouting, HashedAndTabledFlowsGoAroundADeadSpineToo)
{
    for (const auto routing :
         {spec::Routing::ecmp, spec::Routing::up_down, spec::Routing::adaptive}) {
        auto cluster = two_spines(2, routing);
        cluster.outages = {{"spine0", 0_s, 50_ms}};
        cluster.fabric.convergence = 0_s;
        // Spine 0 is away until 50 ms: both sends share spine 1 and end at 40 ms.
        EXPECT_NEAR(time(cluster, {1_GB, 1_GB}), 0.04, 1e-9);
    }
}

TEST_P(Rerouting, BalancingMovesAFlowOntoAPathThatHasBecomeFree)
{
    auto cluster = two_spines(3, spec::Routing::adaptive);
    const std::vector<Bytes> sizes{250_MB, 250_MB, 1_GB};
    // The third shares the path of one of the others, 25 GB/s each, until that ends at 10 ms; then
    // it has 0.75 GB left at 50 GB/s.
    EXPECT_NEAR(time(cluster, sizes), 0.025, 1e-9);
    // The one that was alone ends at 5 ms; a millisecond later one of the two takes its path. The
    // third has moved 0.15 GB by then.
    cluster.fabric.rebalance = 1_ms;
    EXPECT_NEAR(time(cluster, sizes), 0.006 + 0.85 / 50, 1e-9);
}

TEST_P(Rerouting, AQueuePairGoesNoFasterThanItMay)
{
    auto cluster = two_spines(2, spec::Routing::even);
    cluster.fabric.queue_pairs.rate = 100_Gbps;
    // 12.5 GB/s for each queue pair: one takes 80 ms, two 40 ms, and eight are held by the NIC.
    for (const auto& [pairs, expected] : {std::pair{1, 0.08}, {2, 0.04}, {8, 0.02}}) {
        cluster.fabric.queue_pairs.per_connection = pairs;
        EXPECT_NEAR(time(cluster, {1_GB, 0_GB}), expected, 1e-9);
    }
}

TEST(LiveRoutes, SwitchFoldingOffAndSayWhy)
{
    const auto graph = sends({1_GB, 1_GB});
    const auto adaptive = two_spines(2, spec::Routing::adaptive);
    const auto result = replay::run({adaptive, graph}, {});
    EXPECT_EQ(result.folding, "not folded: routes change while the job runs, 4 ranks");
}

TEST(LiveRoutes, RefuseToGoChunkByChunk)
{
    const auto graph = sends({1_GB, 1_GB});
    const auto adaptive = two_spines(2, spec::Routing::adaptive);
    Job job{adaptive, graph};
    job.fidelity.otherwise = spec::Fidelity::chunk;
    EXPECT_THROW((void)replay::run(job, {}), InputError);
}

}  // namespace
}  // namespace sim::replay::test

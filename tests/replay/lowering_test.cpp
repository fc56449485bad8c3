#include "replay/lowering.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "replay/graph_writer.hpp"
#include "replay/recording_engine.hpp"
#include "replay/small_cluster.hpp"
#include "replay/traffic.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

/// All ranks of the cluster in one data communicator that does these collectives in a step.
workload::TaskGraph one_communicator(std::uint32_t ranks,
                                     const std::vector<workload::Collective>& collectives)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "data"}};
    for (const auto& collective : collectives) {
        writer.collective(1, collective, "collective");
    }
    add_ranks(graph, std::vector<ProgramId>(ranks, writer.done()), 1);
    std::vector<std::uint32_t> members;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        members.push_back(rank);
    }
    add_communicator(graph, Purpose::data, members, {0});
    return graph;
}

const CommunicatorId kFirst{0};

TEST(Lowering, PlansACollectiveOncePerKindAndSize)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(1, 4);
    const Machine machine{cluster, engine, 0};
    const auto graph = one_communicator(4, {{CollectiveKind::all_reduce, 1_MB, 0, 0}});
    Lowering lowering{machine, graph};
    const auto& first = lowering.collective(kFirst, {CollectiveKind::all_reduce, 1_MB, 0, 0});
    const auto& again = lowering.collective(kFirst, {CollectiveKind::all_reduce, 1_MB, 0, 7});
    const auto& other = lowering.collective(kFirst, {CollectiveKind::all_reduce, 2_MB, 0, 0});
    const auto& kind = lowering.collective(kFirst, {CollectiveKind::all_gather, 1_MB, 0, 0});
    EXPECT_EQ(&first, &again);
    EXPECT_NE(&first, &other);
    EXPECT_NE(&first, &kind);
}

TEST(Lowering, AddsTheLibrarysLaunchToTheFirstPhaseOnly)
{
    RecordingEngine engine;
    auto cluster = ideal_cluster(2, 4);
    cluster.collective.launch = 10_us;
    const Machine machine{cluster, engine, 0};
    const auto graph = one_communicator(8, {});
    Lowering lowering{machine, graph};
    const auto& plan = lowering.collective(kFirst, {CollectiveKind::all_reduce, 1_GB, 0, 0});
    for (std::size_t phase = 0; phase < plan.phases.size(); ++phase) {
        for (std::uint32_t flow = 0; flow < plan.phases[phase].flows; ++flow) {
            EXPECT_EQ(plan.flows[plan.phases[phase].first_flow + flow].latency,
                      phase == 0 ? 10_us : 0_us);
        }
    }
}

TEST(Lowering, NothingMovesInAnEmptyCollectiveOrWithOneMember)
{
    RecordingEngine engine;
    auto cluster = ideal_cluster(1, 4);
    cluster.collective.launch = 10_us;
    const Machine machine{cluster, engine, 0};
    const auto graph = one_communicator(4, {});
    Lowering lowering{machine, graph};
    EXPECT_TRUE(
        lowering.collective(kFirst, {CollectiveKind::all_reduce, 0_B, 0, 0}).phases.empty());
    const auto alone = one_communicator(1, {});
    Lowering lonely{machine, alone};
    EXPECT_TRUE(lonely.collective(kFirst, {CollectiveKind::all_reduce, 1_GB, 0, 0}).phases.empty());
}

TEST(Lowering, AnAllToAllIsAFlowOfEachMemberToTheOthersOfItsNode)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(1, 4);
    const Machine machine{cluster, engine, 0};
    const auto graph = one_communicator(4, {});
    Lowering lowering{machine, graph};
    const auto& plan = lowering.collective(kFirst, {CollectiveKind::all_to_all, 4_MB, 0, 0});
    // Each of 4 members sends a quarter of its 4 MB to each of the 3 others.
    ASSERT_EQ(plan.flows.size(), 4U);
    EXPECT_DOUBLE_EQ(plan.flows.front().amount, 3e6);
}

TEST(Lowering, ARecordedKernelUsesNoResource)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(1, 1);
    const Machine machine{cluster, engine, 0};
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute"}};
    writer.recorded(0, "a", 0.25);
    add_ranks(graph, {writer.done()}, 0);
    const Lowering lowering{machine, graph};
    EXPECT_TRUE(lowering.kernel(ProgramId{0}, 0).recorded);
    EXPECT_EQ(lowering.kernel(ProgramId{0}, 0).latency, 0.25_s);
}

TEST(StepTraffic, ARingSendsTheSameFromEveryMemberAndNothingOverTheNicInsideANode)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(1, 4);
    const Machine machine{cluster, engine, 0};
    const auto graph = one_communicator(4, {{CollectiveKind::all_reduce, 1_GB, 0, 0},
                                            {CollectiveKind::all_reduce, 1_GB, 0, 0},
                                            {CollectiveKind::all_gather, 1_GB, 0, 0}});
    Lowering lowering{machine, graph};
    for (const auto& row : step_traffic(graph, lowering)) {
        const auto& sent = row[static_cast<std::size_t>(Purpose::data)];
        // All-reduce: 2 (n-1)/n of the size, twice; all-gather (n-1)/n: 2 * 1.5 + 0.75 GB.
        EXPECT_DOUBLE_EQ(sent.bytes, 3.75e9);
        EXPECT_EQ(sent.nic_bytes, 0);
        EXPECT_EQ(row[static_cast<std::size_t>(Purpose::tensor)].bytes, 0);
    }
}

TEST(StepTraffic, WithOneRankANodeAllOfItLeavesThroughTheNic)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(4, 1);
    const Machine machine{cluster, engine, 0};
    const auto graph = one_communicator(4, {{CollectiveKind::all_reduce, 1_GB, 0, 0}});
    Lowering lowering{machine, graph};
    for (const auto& row : step_traffic(graph, lowering)) {
        const auto& sent = row[static_cast<std::size_t>(Purpose::data)];
        EXPECT_DOUBLE_EQ(sent.bytes, 1.5e9);
        EXPECT_DOUBLE_EQ(sent.nic_bytes, 1.5e9);
    }
}

}  // namespace
}  // namespace sim::replay::test

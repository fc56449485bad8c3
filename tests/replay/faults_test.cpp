#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "replay/collective_graph.hpp"
#include "replay/machine.hpp"
#include "replay/recording_engine.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

constexpr const char* kUplink = "node0/nic0->leaf0";

/// Every case on both engines. A send of 1 GB takes 20 ms on whole links.
class Faults : public testing::TestWithParam<engine::Kind>
{
protected:
    static Result run(const std::vector<spec::CapacityEvent>& events,
                      spec::Fidelity fidelity = spec::Fidelity::flow)
    {
        auto cluster = ideal_cluster(2, 1);
        cluster.events = events;
        const auto graph = graph_of({{CollectiveKind::send_recv, 1_GB, 0, 0}, {0, 1}});
        Job job{cluster, graph};
        job.steps = 1;
        job.fidelity = {fidelity};
        return replay::run(job, {GetParam()});
    }

    /// Until the send has ended.
    static double time(const std::vector<spec::CapacityEvent>& events)
    {
        return run(events).step.base() - 0.5;
    }
};

INSTANTIATE_TEST_SUITE_P(, Faults, testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

TEST_P(Faults, ADeadLinkStallsItsTransferUntilItReturns)
{
    EXPECT_NEAR(time({{10_ms, kUplink, 0}, {1_s, kUplink, 1}}), 1.01, 1e-12);
}

TEST_P(Faults, EventsNeedNotBeInOrder)
{
    EXPECT_NEAR(time({{1_s, kUplink, 1}, {10_ms, kUplink, 0}}), 1.01, 1e-12);
}

TEST_P(Faults, AThrottledLinkHasItsShareOfTheBandwidth)
{
    // 0.5 GB in 10 ms, the other half at 25 GB/s in 20 ms.
    EXPECT_NEAR(time({{10_ms, kUplink, 0.5}}), 0.03, 1e-12);
}

TEST_P(Faults, AnEventOnAnotherLinkChangesNothing)
{
    EXPECT_NEAR(time({{0_s, "leaf0->node0/nic0", 0}}), 0.02, 1e-12);
}

TEST_P(Faults, ALinkThatNeverReturnsEndsTheRunWithWhatStandsStill)
{
    for (const auto fidelity : {spec::Fidelity::flow, spec::Fidelity::chunk}) {
        try {
            static_cast<void>(run({{10_ms, kUplink, 0}}, fidelity));
            FAIL();
        } catch (const engine::Stalled& stalled) {
            EXPECT_STREQ(
                stalled.what(),
                "no progress after 0.01 s: 1 activity waits for capacity that never returns on "
                "\"node0/nic0->leaf0\"\n"
                "  rank 0, stream \"data\", step 0: \"collective\" stands still\n"
                "  rank 1, stream \"data\", step 0: \"collective\" stands still");
        }
    }
}

TEST_P(Faults, AResourceTheMachineDoesNotHaveIsWrongInput)
{
    try {
        static_cast<void>(run({{10_ms, "node0/nic1->leaf0", 0}, {10_ms, "the moon", 0}}));
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 2U);
        EXPECT_EQ(error.diagnostics()[0].key, "cluster.events.0.resource");
        EXPECT_EQ(error.diagnostics()[0].message, "the cluster has no \"node0/nic1->leaf0\"");
        EXPECT_EQ(error.diagnostics()[0].hint, "did you mean \"node0/nic0->leaf0\"?");
        EXPECT_EQ(error.diagnostics()[1].key, "cluster.events.1.resource");
        EXPECT_NE(error.diagnostics()[1].hint.find("\"node0/gpu0/hbm\""), std::string::npos);
    }
}

TEST(MachineEvents, BecomeTheScheduleOfTheirResourceAlone)
{
    auto cluster = ideal_cluster(1, 2);
    cluster.events = {{2_s, "node0/gpu1/sm", 0.5}, {1_s, "node0/gpu1/sm", 0}};
    RecordingEngine engine;
    const Machine machine{cluster, engine, 0};
    for (const auto& resource : engine.resources) {
        if (resource.name != "node0/gpu1/sm") {
            EXPECT_TRUE(resource.schedule.empty()) << resource.name;
            continue;
        }
        ASSERT_EQ(resource.schedule.size(), 2U);
        EXPECT_EQ(resource.schedule[0].at, 1_s);
        EXPECT_EQ(resource.schedule[0].capacity, 0);
        EXPECT_EQ(resource.schedule[1].capacity, 50);
    }
}

}  // namespace
}  // namespace sim::replay::test

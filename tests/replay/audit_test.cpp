#include "replay/audit.hpp"

#include <gtest/gtest.h>

#include "core/contract.hpp"
#include "core/literals.hpp"
#include "replay/collective_graph.hpp"
#include "replay/conservation.hpp"
#include "replay/recording_engine.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"
#include "replay/tampered_engine.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;
using Lies = TamperedEngine::Lies;

/// Two nodes of one GPU: 0.25 s of recorded work, then a send of 1 GB (20 ms), then the use.
workload::TaskGraph send_graph()
{
    return graph_of({{CollectiveKind::send_recv, 1_GB, 0, 0}, {0, 1}, {0.25}});
}

std::string violation_of(const Lies& lies, const workload::TaskGraph& graph,
                         const spec::FidelitySpec& fidelity = {})
{
    const auto cluster = ideal_cluster(2, 1);
    Job job{cluster, graph};
    job.steps = 1;
    job.fidelity = fidelity;
    TamperedEngine engine{lies};
    try {
        static_cast<void>(simulate(job, engine));
    } catch (const ContractViolation& violation) {
        return violation.what();
    }
    return "";
}

TEST(Audit, FindsNothingWrongWithAnHonestEngine)
{
    EXPECT_EQ(violation_of({}, send_graph()), "");
    EXPECT_EQ(violation_of({}, send_graph(), {spec::Fidelity::chunk}), "");
}

TEST(Audit, ACollectiveFasterThanItsLowerBoundIsNamedWithTheInstant)
{
    // Half the bytes take half of the 20 ms.
    for (const auto fidelity : {spec::Fidelity::flow, spec::Fidelity::chunk}) {
        EXPECT_EQ(violation_of({.amount = 0.5}, send_graph(), {fidelity}),
                  "audit: at 0.26 s \"collective\" of communicator 0 ended after "
                  "0.010000000000000009 s; it takes 0.02 s at least");
    }
}

TEST(Audit, AKernelFasterThanAloneIsNamedWithTheInstant)
{
    EXPECT_EQ(
        violation_of({.latency = 0.5}, send_graph()),
        "audit: at 0.125 s \"before\" of rank 0 ended after 0.125 s; it takes 0.25 s at least");
}

TEST(Audit, AResourceAboveItsCapacityIsNamedWithTheInstants)
{
    // One kernel moves 1 GB of HBM at 2 TB/s and little math: 0.5 ms at most 1 GB. Twice the
    // capacity serves it in half the time, which the kernel's own rule sees; a lie of what was
    // served is seen by the resource's rule.
    spec::Operation copy;
    copy.kind = spec::OperationKind::streaming;
    copy.bytes = 1e9;
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute"}};
    writer.kernel(0, "copy", copy);
    add_ranks(graph, {writer.done()}, 0);
    const auto faster = violation_of({.capacity = 2}, graph);
    EXPECT_NE(faster.find("\"copy\" of rank 0 ended after 0.00025 s; it takes 0.0005 s at least"),
              std::string::npos)
        << faster;
    const auto more = violation_of({.served = 1.5}, graph);
    EXPECT_NE(more.find("from 0 s to 0.0005 s resource \"node0/gpu0/hbm\" served 1500000000 units; "
                        "its capacity allows 1000000000"),
              std::string::npos)
        << more;
}

TEST(Audit, BytesThatWereAskedForAndNotServedAreNamed)
{
    // A read of 1 GB and twice that to hand it to the NIC. The step takes 0.77 s; rank 0 has then
    // begun the next one, 0.25 s of it.
    EXPECT_EQ(violation_of({.served = 0.5}, send_graph()),
              "audit: at 1.02 s resource \"node0/gpu0/hbm\" has served 1500000000 units; the tasks "
              "that used it asked for 3000000000");
}

TEST(Audit, ALedgerThatDoesNotSumToTheStepIsNamed)
{
    std::array<Time, kEntries> entries{};
    entries[0] = 0.5_s;
    entries[3] = 0.25_s;
    EXPECT_NO_THROW(expect_sum(3, entries, 0.75_s));
    try {
        expect_sum(3, entries, 1_s);
        FAIL();
    } catch (const ContractViolation& violation) {
        EXPECT_STREQ(violation.what(),
                     "audit: the ledger of rank 3 sums to 0.75 s; the step takes 1 s");
    }
}

TEST(Audit, IsOffWhenAskedToBe)
{
    const auto cluster = ideal_cluster(2, 1);
    const auto graph = send_graph();
    Job job{cluster, graph};
    job.steps = 1;
    job.audit = false;
    TamperedEngine engine{{.served = 0.5}};
    EXPECT_NO_THROW(static_cast<void>(simulate(job, engine)));
}

class Conservation : public testing::Test
{
protected:
    Conservation()
        : cluster_{ideal_cluster(2, 2)},
          fabric_{fabric::build(cluster_)},
          router_{fabric_, cluster_.fabric, 0}
    {
    }

    collective::Schedule plan()
    {
        const collective::Planner planner{fabric_, router_, cluster_};
        members_ = {GpuId{0}, GpuId{2}};
        collective::Request request;
        request.size = 1_GB;
        request.members = members_;
        return planner.plan(request);
    }

    std::string violation(const collective::Schedule& schedule)
    {
        try {
            expect_conserved(schedule, fabric_);
        } catch (const ContractViolation& violation) {
            return violation.what();
        }
        return "";
    }

    collective::Flow& flow(collective::Schedule& schedule) { return schedule.phases[0].flows[0]; }

    std::size_t link(const collective::Flow& flow, const std::string& name)
    {
        for (std::size_t i = 0; i < flow.links.size(); ++i) {
            if (fabric_.graph.links()[flow.links[i].link.index()].name == name) {
                return i;
            }
        }
        throw std::logic_error{"no link " + name};
    }

private:
    spec::ClusterSpec cluster_;
    fabric::Fabric fabric_;
    fabric::Router router_;
    std::vector<GpuId> members_;
};

TEST_F(Conservation, APlannedRingConservesBytes) { EXPECT_EQ(violation(plan()), ""); }

TEST_F(Conservation, AMissingCrossingIsNamedWhereTheBytesStop)
{
    // All-reduce over two: 2 (n - 1) / n = 1 GB past every hop, out and in through the NIC.
    auto schedule = plan();
    auto& links = flow(schedule).links;
    links.erase(links.begin() +
                static_cast<std::ptrdiff_t>(link(flow(schedule), "node0/nic0->leaf0")));
    EXPECT_EQ(violation(schedule),
              "audit: bytes are not conserved: a collective brings 2000000000 B to node0/nic0 and "
              "takes 1000000000 B away");
}

TEST_F(Conservation, HalfACrossingAnywhereOnTheWayIsFound)
{
    const auto whole = plan();
    for (std::size_t i = 0; i < whole.phases[0].flows[0].links.size(); ++i) {
        auto halved = whole;
        flow(halved).links[i].consumption /= 2;
        EXPECT_NE(violation(halved).find("bytes are not conserved"), std::string::npos) << i;
    }
}

TEST(MostServed, FollowsTheChangesOfCapacity)
{
    // 10 units/s until 2 s, none until 3 s, 4 units/s after.
    const std::vector<engine::CapacityChange> schedule{{2_s, 0}, {3_s, 4}};
    EXPECT_EQ(most_served(10, schedule, 0_s, 1_s), 10);
    EXPECT_EQ(most_served(10, schedule, 1_s, 5_s), 10 + 0 + 8);
    EXPECT_EQ(most_served(10, schedule, 2_s, 3_s), 0);
    EXPECT_EQ(most_served(10, schedule, 4_s, 6_s), 8);
    EXPECT_EQ(most_served(10, {}, 1_s, 1_s), 0);
}

}  // namespace
}  // namespace sim::replay::test

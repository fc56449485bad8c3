#include <gtest/gtest.h>

#include "core/literals.hpp"
#include "formats/trace_builder.hpp"
#include "formats/trace_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

// Recorded jobs on a machine: what a trace says becomes time.

namespace sim::replay::test
{
namespace
{

using formats::Trace;
using formats::TraceBuilder;
using formats::TraceKind;
using formats::TraceNode;
using namespace sim::literals;

class RecordedJob : public testing::TestWithParam<engine::Kind>
{
protected:
    static double step(const Trace& trace, int gpus)
    {
        const auto cluster = ideal_cluster(1, gpus);
        const auto graph = formats::trace_graph(trace);
        Job job{cluster, graph};
        job.steps = 1;
        return replay::run(job, {GetParam()}).step.base();
    }
};

INSTANTIATE_TEST_SUITE_P(, RecordedJob,
                         testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

TraceNode compute(double seconds)
{
    TraceNode node;
    node.seconds = seconds;
    return node;
}

TraceNode collective(workload::CollectiveKind kind, std::int64_t size)
{
    TraceNode node;
    node.kind = TraceKind::collective;
    node.collective = kind;
    node.size = size;
    return node;
}

/// n ranks over NVLink of 400 GB/s, no latency: a ring moves 2 (n-1)/n (all-reduce) or (n-1)/n of
/// the size over every link.
TEST_P(RecordedJob, OneCollectiveTakesItsClosedForm)
{
    constexpr std::int64_t kSize = 1'000'000'000;
    const std::pair<workload::CollectiveKind, double> cases[] = {
        {workload::CollectiveKind::all_reduce, 2 * 7.0 / 8},
        {workload::CollectiveKind::all_gather, 7.0 / 8},
        {workload::CollectiveKind::reduce_scatter, 7.0 / 8},
        {workload::CollectiveKind::all_to_all, 7.0 / 8}};
    for (const auto& [kind, share] : cases) {
        TraceBuilder builder{"by hand", 8};
        builder.label("c");
        builder.group("all", {0, 1, 2, 3, 4, 5, 6, 7});
        for (std::uint32_t rank = 0; rank < 8; ++rank) {
            builder.add(rank, collective(kind, kSize), {});
        }
        EXPECT_NEAR(step(builder.take(), 8), share * 1e9 / 400e9, 1e-9);
    }
}

/// 1 s, then a message of 4 GB at 400 GB/s (10 ms), then 2 s at the receiver, whose own 0.5 s end
/// long before.
TEST_P(RecordedJob, AReceiversWorkWaitsForTheMessage)
{
    TraceBuilder builder{"by hand", 2};
    builder.label("m");
    builder.add(0, compute(1), {});
    TraceNode send;
    send.kind = TraceKind::send;
    send.peer = 1;
    send.size = 4'000'000'000;
    builder.add(0, send, {0});
    builder.add(1, compute(0.5), {});
    auto receive = send;
    receive.kind = TraceKind::receive;
    receive.peer = 0;
    builder.add(1, receive, {0});
    builder.add(1, compute(2), {1});
    EXPECT_NEAR(step(builder.take(), 2), 3.01, 1e-9);
}

/// a (1 s) -> b (1 s) and c (3 s) on another lane -> d: c is the longer by 1 s, so 0.5 s more of b
/// changes nothing and 0.5 s more of c all.
TEST_P(RecordedJob, ALongerKernelShiftsItsDependentsOnly)
{
    const auto job = [](double b, double c) {
        TraceBuilder builder{"by hand", 1};
        builder.label("k");
        builder.add(0, compute(1), {});
        builder.add(0, compute(b), {0});
        auto beside = compute(c);
        beside.lane = 1;
        builder.add(0, beside, {});
        builder.add(0, compute(1), {1, 2});
        return builder.take();
    };
    EXPECT_NEAR(step(job(1, 3), 1), 4, 1e-12);
    EXPECT_NEAR(step(job(1.5, 3), 1), 4, 1e-12);
    EXPECT_NEAR(step(job(1, 3.5), 1), 4.5, 1e-12);
}

/// The step ends with the last thing of any stream: a reduction of 2 GB over two ranks, 5 ms.
TEST_P(RecordedJob, TheStepEndsWithCommunicationThatNobodyWaitsFor)
{
    TraceBuilder builder{"by hand", 2};
    builder.label("c");
    builder.group("all", {0, 1});
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        builder.add(rank, compute(1e-3), {});
        builder.add(rank, collective(workload::CollectiveKind::all_reduce, 2'000'000'000), {});
    }
    EXPECT_NEAR(step(builder.take(), 2), 5e-3, 1e-9);
}

/// 1e11 FLOPs at 100 TFLOP/s are 1 ms; 1e9 bytes at 2 TB/s half of that.
TEST_P(RecordedJob, WorkWithoutATimeRunsAtTheGpusRates)
{
    TraceBuilder builder{"by hand", 1};
    builder.label("k");
    TraceNode node;
    node.flops = 1e11;
    node.bytes = 1e9;
    builder.add(0, node, {});
    EXPECT_NEAR(step(builder.take(), 1), 1e-3, 1e-9);
}

}  // namespace
}  // namespace sim::replay::test

#include <gtest/gtest.h>

#include "formats/kineto_text.hpp"
#include "formats/trace_fixture.hpp"
#include "formats/trace_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

// Recordings of PyTorch's profiler, replayed.

namespace sim::replay::test
{
namespace
{

using formats::test::KinetoText;
using formats::test::told;

Result replay_files(const std::vector<KinetoText>& files, bool recorded, double scale = 1)
{
    const ScratchFolder folder;
    for (std::size_t i = 0; i < files.size(); ++i) {
        folder.write(fmt::format("{}.json", i), files[i].text());
    }
    spec::TraceSpec asked;
    asked.path = folder.path(files.size() == 1 ? "0.json" : "");
    asked.keep_transfers = recorded;
    asked.compute_scale = scale;
    asked.idle_gpus = true;
    const auto trace = formats::load_trace(asked, 8);
    const auto cluster = ideal_cluster(1, 8);
    const auto graph = formats::trace_graph(trace);
    Job job{cluster, graph};
    job.steps = 1;
    return replay::run(job, {});
}

double step(const KinetoText& file, bool recorded = true, double scale = 1)
{
    return replay_files({file}, recorded, scale).step.base();
}

Time entry(const Result& result, Entry which)
{
    return result.classes[0].ledger[static_cast<std::size_t>(which)];
}

/// The host launches b and c while a runs, waits for both, and launches d 3 us later.
KinetoText four_kernels(double b)
{
    const auto shift = b - 20;
    return KinetoText{}
        .kernel("a", 0, 6, 10)
        .kernel("b", 4, 17, b)
        .kernel("c", 8, 14, 5, "", 9)
        .call("cudaDeviceSynchronize", 11, 28 + shift)
        .kernel("d", 42 + shift, 47 + shift, 6)
        .job(0, 1);
}

TEST(KinetoReplay, TakesTheTimeThatWasRecorded)
{
    EXPECT_NEAR(step(four_kernels(20)), 53e-6, 1e-11);
}

/// b is what the host waits for: all that follows shifts by as much. c ends 18 us before b.
TEST(KinetoReplay, ALongerKernelShiftsExactlyWhatDependsOnIt)
{
    const auto longer = [](const std::string& label, double seconds) {
        const ScratchFolder folder;
        folder.write("0.json", four_kernels(20).text());
        auto trace = formats::test::read(folder, "0.json", 1);
        for (auto& node : trace.ranks[0].nodes) {
            node.seconds += trace.labels[node.label] == label ? seconds : 0;
        }
        const auto cluster = ideal_cluster(1, 1);
        const auto graph = formats::trace_graph(trace);
        Job job{cluster, graph};
        job.steps = 1;
        return replay::run(job, {}).step.base();
    };
    EXPECT_NEAR(longer("b", 7e-6), 60e-6, 1e-11);
    EXPECT_NEAR(longer("c", 18e-6), 53e-6, 1e-11);
    EXPECT_NEAR(longer("c", 19e-6), 54e-6, 1e-11);
    EXPECT_NEAR(longer("d", 1e-6), 54e-6, 1e-11);
}

/// With kernels at half their time: a from 6 to 11, b from 12 to 22; the host comes back 2 us after
/// that (39 - 37), launches d 3 us later (42 - 39), which begins after 5 (47 - 42) and takes 3.
TEST(KinetoReplay, WhatTheHostDoesStaysWhenComputeIsScaled)
{
    EXPECT_NEAR(step(four_kernels(20), true, 0.5), 35e-6, 1e-11);
}

/// Two ranks; the second comes 10 us later to the all-reduce. Recorded: it ends at 34.
TEST(KinetoReplay, ARecordedJobOfTwoRanksTakesItsRecordedTime)
{
    const auto comms = told("allreduce", 1024, "[0, 1]");
    KinetoText first;
    first.kernel("k", 0, 5, 10).kernel("ncclDevKernel_AllReduce", 2, 20, 14, comms, 20).job(0, 2);
    KinetoText second;
    second.kernel("k", 1000, 1008, 18)
        .kernel("ncclDevKernel_AllReduce", 1003, 1030, 4, comms, 20)
        .job(1, 2);
    EXPECT_NEAR(replay_files({first, second}, true).step.base(), 34e-6, 1e-11);
}

/// 4 MB over two ranks at 400 GB/s: 10 us in place of the recorded 4.
TEST(KinetoReplay, CollectivesAreSimulatedOnTheMachine)
{
    KinetoText file;
    file.kernel("k", 0, 5, 10)
        .kernel("ncclDevKernel_AllReduce", 2, 16, 4, told("allreduce", 1'000'000, "[0, 1]"), 20)
        .job(0, 2);
    EXPECT_NEAR(step(file, true), 20e-6, 1e-11);
    EXPECT_NEAR(step(file, false), 26e-6, 1e-11);
}

/// As a viewer shows it: 20 us of all-reduce from 10 to 30, of which k runs beside it until 18 and
/// l from 25 on; the gap between them is no compute, so 7 us are exposed and 13 hidden.
TEST(KinetoReplay, OverlapIsWhatATraceViewerShows)
{
    KinetoText file;
    file.kernel("j", 0, 4, 5)
        .kernel("ncclDevKernel_AllReduce", 2, 10, 20, told("allreduce", 64, "[0, 1]"), 20)
        .kernel("k", 3, 10, 8)
        .kernel("l", 22, 25, 9)
        .launch(23, 900)
        .event("gpu_memcpy", "Memcpy HtoD", 24, 5, R"("stream":30,"correlation":900)")
        .job(0, 2);
    const auto result = replay_files({file}, true);
    ASSERT_EQ(result.classes.size(), 1U);
    ASSERT_EQ(result.classes[0].communication.size(), 1U);
    EXPECT_NEAR(result.classes[0].communication[0].exposed.base(), 7e-6, 1e-11);
    EXPECT_NEAR(result.classes[0].communication[0].hidden.base(), 13e-6, 1e-11);
    EXPECT_NEAR(result.step.base(), 34e-6, 1e-11);
    EXPECT_NEAR((entry(result, Entry::compute_memory) + entry(result, Entry::compute_math)).base(),
                22e-6, 1e-11);
}

/// A collective follows the kernel launched last before it, however long that takes: with j 30 us
/// longer the all-reduce begins 30 us later.
TEST(KinetoReplay, ACollectiveFollowsTheKernelLaunchedBeforeIt)
{
    const auto file = [](double longer) {
        KinetoText text;
        text.kernel("j", 0, 4, 5 + longer)
            .kernel("ncclDevKernel_AllReduce", 2, 10 + longer, 20, told("allreduce", 64, "[0, 1]"),
                    20)
            .job(0, 2);
        return text;
    };
    EXPECT_NEAR(step(file(30)) - step(file(0)), 30e-6, 1e-11);
}

}  // namespace
}  // namespace sim::replay::test

#include "replay/memory_over_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "replay/copy_cluster.hpp"
#include "replay/tier_use.hpp"
#include "workload/pipeline_schedule.hpp"

namespace sim::replay::test
{
namespace
{

using spec::Schedule;

/// Eight equal layers on so many stages, eight micro-batches.
spec::ExperimentSpec job(int stages, int data = 1)
{
    spec::ExperimentSpec experiment;
    experiment.cluster = tiered_cluster(1, stages * data, stages * data, 0);
    auto& workload = experiment.workload;
    workload.model = {.name = "small",
                      .hidden = 1024,
                      .layers = 8,
                      .heads = 8,
                      .kv_heads = 8,
                      .head_dim = 128,
                      .ffn = 4096,
                      .vocab = 4096};
    workload.sequence = 1024;
    workload.micro_batch = 1;
    workload.global_batch = 8 * data;
    workload.gradient_precision = spec::Precision::bf16;
    workload.framework.gradient_bucket = Bytes::of(1'000'000'000);
    workload.plan.pipeline = stages;
    workload.plan.data = data;
    workload.plan.layers_per_stage.assign(static_cast<std::size_t>(stages), 8 / stages);
    return experiment;
}

Result watched(const spec::ExperimentSpec& experiment)
{
    Options options;
    options.watch = true;
    return run(experiment, options);
}

Bytes level(const MemoryOverTime& memory, std::uint32_t stage, const std::string& tier,
            std::size_t bin)
{
    Bytes sum{};
    for (const auto& held : memory.held) {
        sum += held.stage == stage && held.tier == tier ? held.bytes[bin] : Bytes{};
    }
    return sum;
}

Bytes peak(const MemoryOverTime& memory, std::uint32_t stage, const std::string& tier)
{
    Bytes most{};
    for (std::size_t bin = 0; bin < memory.held.front().bytes.size(); ++bin) {
        most = std::max(most, level(memory, stage, tier, bin));
    }
    return most;
}

double most_micro_batches(const MemoryOverTime& memory, std::size_t stage)
{
    const auto bins = static_cast<std::ptrdiff_t>(memory.held.front().bytes.size());
    const auto first = memory.micro_batches.begin() + static_cast<std::ptrdiff_t>(stage) * bins;
    return *std::max_element(first, first + bins);
}

void expect_peaks_of_footprint(const Result& result)
{
    ASSERT_EQ(result.memory.stages.size(), result.footprint.size());
    for (std::uint32_t stage = 0; stage < result.footprint.size(); ++stage) {
        EXPECT_EQ(peak(result.memory, stage, "GPU memory"), result.footprint[stage].total())
            << stage;
    }
}

TEST(MemoryOverTime, Of1F1BStageIOfPKeepsPMinusIMicroBatches)
{
    const auto result = watched(job(4));
    for (std::size_t stage = 0; stage < 4; ++stage) {
        EXPECT_EQ(most_micro_batches(result.memory, stage), 4.0 - static_cast<double>(stage));
    }
    expect_peaks_of_footprint(result);
}

TEST(MemoryOverTime, OfGPipeEveryStageKeepsAllMicroBatches)
{
    auto experiment = job(4);
    experiment.workload.plan.schedule = Schedule::all_forward;
    const auto result = watched(experiment);
    for (std::size_t stage = 0; stage < 4; ++stage) {
        EXPECT_EQ(most_micro_batches(result.memory, stage), 8);
    }
    expect_peaks_of_footprint(result);
}

TEST(MemoryOverTime, PutOffWeightGradientsKeepEveryStageAsFullAsTheFirstOf1F1B)
{
    auto experiment = job(4);
    experiment.workload.plan.schedule = Schedule::zero_bubble;
    const auto result = watched(experiment);
    for (std::size_t stage = 0; stage < 4; ++stage) {
        EXPECT_EQ(most_micro_batches(result.memory, stage), 4);
    }
    expect_peaks_of_footprint(result);
}

TEST(MemoryOverTime, OfInterleavedStagesKeepsWhatTheScheduleDoes)
{
    auto experiment = job(2);
    experiment.workload.plan.chunks = 2;
    experiment.workload.plan.layers_per_stage = {2, 2, 2, 2};
    const auto result = watched(experiment);
    for (int stage = 0; stage < 2; ++stage) {
        const auto held = in_flight(workload::stage_schedule(experiment.workload, stage));
        EXPECT_EQ(most_micro_batches(result.memory, static_cast<std::size_t>(stage)), held);
    }
    expect_peaks_of_footprint(result);
}

TEST(MemoryOverTime, OneStageFillsLayerByLayerAndEmptiesAgain)
{
    // Kept by 0, 1, ... 8 of eight equal layers: nine levels of activations, and one of what stays.
    auto experiment = job(1);
    experiment.workload.global_batch = 1;
    const auto result = watched(experiment);
    for (const auto& held : result.memory.held) {
        std::set<Bytes> levels{held.bytes.begin(), held.bytes.end()};
        EXPECT_LE(held.bytes.size(), 256);
        if (held.content == "activations") {
            EXPECT_EQ(levels.size(), 9);
            EXPECT_EQ(*levels.begin(), Bytes{});
            EXPECT_EQ(*levels.rbegin(), result.footprint[0].activations);
        } else if (held.content != "temporary") {
            EXPECT_EQ(levels.size(), 1) << held.content;
        }
    }
    expect_peaks_of_footprint(result);
}

TEST(MemoryOverTime, OfShardedAndRecomputedStepsPeaksAtTheFootprint)
{
    for (const int zero : {1, 2, 3}) {
        for (const auto recompute : {spec::Recompute::none, spec::Recompute::full}) {
            auto experiment = job(1, 4);
            experiment.workload.plan.zero = zero;
            experiment.workload.recompute = recompute;
            expect_peaks_of_footprint(watched(experiment));
        }
    }
}

TEST(MemoryOverTime, ActivationsInHostMemoryPeakWhereTheTierLedgerDoes)
{
    for (const int layers : {3, 8}) {
        auto experiment = job(1, 2);
        experiment.workload.offload.emplace();
        experiment.workload.offload->activations = {spec::DataTier::dram, 1, layers};
        experiment.workload.offload->buffers = {.count = 1, .size = Bytes::of(1 << 20)};
        const auto result = watched(experiment);
        const auto ledger = node_tiers(experiment, 0);
        const auto& host = ledger.tiers().front();
        EXPECT_EQ(peak(result.memory, 0, host.name), ledger.peak(0).bytes) << layers;
        // Copies that end early leave the GPUs emptier than the two layers that may wait.
        EXPECT_LE(peak(result.memory, 0, "GPU memory"), result.footprint[0].total()) << layers;
    }
}

TEST(MemoryOverTime, AShareOfActivationsLiesOutsideAndTheRestInside)
{
    auto experiment = job(1);
    spec::OffloadSpec offload;
    offload.activations = {spec::DataTier::dram, 0.5};
    offload.buffers = {.count = 4, .size = Bytes::of(1 << 20)};
    experiment.workload.offload = offload;
    const auto result = watched(experiment);
    EXPECT_LE(peak(result.memory, 0, "GPU memory"), result.footprint[0].total());
    const auto ledger = node_tiers(experiment, 0);
    EXPECT_EQ(peak(result.memory, 0, ledger.tiers().front().name), ledger.peak(0).bytes);
}

TEST(MemoryOverTime, IsTheSameOfFoldedAndUnfoldedRuns)
{
    const auto experiment = job(2, 2);
    Options options;
    options.watch = true;
    const auto folded = run(experiment, options).memory;
    options.fold = Fold::off;
    const auto whole = run(experiment, options).memory;
    ASSERT_EQ(folded.held.size(), whole.held.size());
    for (std::size_t i = 0; i < whole.held.size(); ++i) {
        EXPECT_EQ(folded.held[i].content, whole.held[i].content);
        EXPECT_EQ(peak(folded, folded.held[i].stage, folded.held[i].tier),
                  peak(whole, whole.held[i].stage, whole.held[i].tier));
    }
}

TEST(MemoryOverTime, IsNotToldOfARunThatIsNotWatched)
{
    EXPECT_TRUE(run(job(1), {}).memory.held.empty());
}

}  // namespace
}  // namespace sim::replay::test

#include "spec/workload_options.hpp"

#include <gtest/gtest.h>

#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

/// The example has 80 layers, 64 heads and 8 key-value heads; tensor 8, data 16.
std::string complaint(const WorkloadSpec& workload, int ranks = kExampleRanks)
{
    return told(validate(workload, ranks, ""));
}

TEST(WorkloadOptions, WithoutBubblesAPipelineIsNeededAndFullRecomputationIsNotPossible)
{
    auto workload = example_workload();
    workload.plan.schedule = Schedule::zero_bubble;
    EXPECT_EQ(complaint(workload),
              "error: parallel.schedule: zero_bubble fills the bubble of a pipeline of 1 | write "
              "schedule: 1f1b, or pipeline: 2");
    workload.plan.pipeline = 2;
    workload.plan.data = 8;
    workload.plan.layers_per_stage.clear();
    EXPECT_EQ(complaint(workload), "");
    workload.recompute = Recompute::full;
    EXPECT_EQ(complaint(workload),
              "error: recompute: full, but zero_bubble keeps what the weights' gradients need "
              "until they run | write recompute: selective, or parallel.schedule: 1f1b");
}

TEST(WorkloadOptions, ExchangedHeadsAreWhole)
{
    auto workload = example_workload();
    workload.plan.context = 2;
    workload.plan.data = 8;
    workload.plan.context_exchange = ContextExchange::all_to_all;
    EXPECT_EQ(complaint(workload),
              "error: parallel.context_exchange: all_to_all gives a rank whole heads, but tensor 8 "
              "x context 2 = 16 does not divide 64 heads and 8 key-value heads | write "
              "context_exchange: ring, or tensor x context a divisor of 8");
    workload.plan.tensor = 4;
    workload.plan.data = 16;
    EXPECT_EQ(complaint(workload), "");
    workload.framework.attention = AttentionLibrary::unfused;
    EXPECT_EQ(complaint(workload),
              "error: framework.attention: unfused works on whole sequences, but context shares "
              "them | write attention: auto, or parallel.context: 1");
}

TEST(WorkloadOptions, ASecondShareIsOfParametersThatAllReplicasShare)
{
    auto workload = example_workload();
    workload.plan.backward_group = 8;
    EXPECT_EQ(complaint(workload),
              "error: parallel.backward_group: is a second share of parameters that all replicas "
              "share | write zero: 3 without zero_group, or drop it");
    workload.plan.zero = 3;
    EXPECT_EQ(complaint(workload), "");
    workload.plan.backward_group = 6;
    EXPECT_EQ(complaint(workload),
              "error: parallel.backward_group: 6 does not divide the 16 replicas | write 2");
}

TEST(WorkloadOptions, SomethingHasToLearn)
{
    auto workload = example_workload();
    workload.frozen_layers = 80;
    EXPECT_EQ(complaint(workload),
              "error: frozen_layers: 80 leaves none of the 80 layers to learn | write at most 79");
    workload.frozen_layers = 40;
    EXPECT_EQ(complaint(workload), "");
    workload.adapter_rank = 16;
    EXPECT_EQ(complaint(workload),
              "error: frozen_layers: is given, but with adapters all layers are frozen | write "
              "adapter_rank: 0, or drop it");
}

TEST(WorkloadOptions, WhatIsNotThereCannotOverlapOrBeCompressed)
{
    auto workload = example_workload();
    workload.plan.overlap_shared_experts = true;
    EXPECT_EQ(complaint(workload),
              "error: parallel.overlap_shared_experts: is given, but the model has no experts for "
              "every token | write false");
    workload.plan.overlap_shared_experts = false;
    workload.compression = GradientCompression::fp8;
    EXPECT_EQ(complaint(workload), "");
    workload.plan.zero = 3;
    EXPECT_EQ(complaint(workload),
              "error: gradient_compression: is of gradients that replicas sum once a step | write "
              "parallel.zero: 1 or 0");
}

TEST(WorkloadOptions, EndsThatCountAsLayersAreDividedWithThem)
{
    auto workload = example_workload();
    workload.plan.pipeline = 4;
    workload.plan.data = 4;
    workload.plan.layers_per_stage.clear();
    EXPECT_EQ(complaint(workload), "");
    workload.plan.ends_as_layers = true;
    EXPECT_EQ(complaint(workload),
              "error: parallel.pipeline: 4 does not divide the 82 places of the layers and of the "
              "ends that count as one | write one of 1, 2, 41, 82, or ends_as_layers: false");
}

TEST(WorkloadOptions, ChunksThatWorkAreListed)
{
    // NVIDIA/Megatron-LM#1304: 80 layers in 16 stages leave five a stage.
    auto workload = example_workload();
    workload.plan = {.pipeline = 16, .chunks = 2};
    workload.global_batch = 16;
    EXPECT_EQ(complaint(workload, 16),
              "error: parallel.virtual_pipeline: 16 stages of 2 chunks do not divide the 80 layers "
              "| write one of 1, 5");
}

TEST(WorkloadOptions, NumbersAreInTheirRange)
{
    auto workload = example_workload();
    workload.plan.prefetch = -1;
    workload.frozen_layers = -1;
    workload.kept_gradients = 0;
    const auto found = validate(workload, kExampleRanks, "");
    std::vector<std::string> keys;
    for (const auto& diagnostic : found) {
        keys.push_back(diagnostic.key);
    }
    EXPECT_EQ(keys,
              (std::vector<std::string>{"parallel.prefetch", "frozen_layers", "kept_gradients"}));
}

}  // namespace
}  // namespace sim::spec

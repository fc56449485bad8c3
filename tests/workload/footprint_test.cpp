#include "workload/footprint.hpp"

#include <gtest/gtest.h>

#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

/// The 22-billion model of Korthikanti et al. (arXiv:2205.05198): h 6144, 64 heads, s 2048, b 4.
spec::WorkloadSpec korthikanti_22b()
{
    spec::WorkloadSpec workload;
    workload.model = llama("22B", 6144, 48, 64);
    workload.model.head_dim = 96;
    workload.model.ffn = 4 * 6144;
    workload.model.gated_mlp = false;
    workload.sequence = 2048;
    workload.global_batch = 4;
    workload.micro_batch = 4;
    workload.plan.tensor = 8;
    workload.plan.layers_per_stage = {48};
    return workload;
}

TEST(Footprint, ALayersActivationsFollowKorthikantisFormulas)
{
    // s b h = 2048 * 4 * 6144 = 50,331,648.
    constexpr std::int64_t sbh = 50'331'648;
    auto workload = korthikanti_22b();
    // Without sequence parallelism s b h (10 + 24 / t), with it s b h 34 / t, recomputed 2 s b h.
    EXPECT_EQ(layer_activations(workload, spec::Recompute::selective), Bytes::of(13 * sbh));
    workload.plan.sequence_parallel = true;
    EXPECT_EQ(layer_activations(workload, spec::Recompute::selective), Bytes::of(34 * sbh / 8));
    EXPECT_EQ(layer_activations(workload, spec::Recompute::full), Bytes::of(2 * sbh));
}

TEST(Footprint, FusedAttentionKeepsNoSquareSoSelectiveRecomputationSavesNothing)
{
    const auto workload = korthikanti_22b();
    EXPECT_EQ(layer_activations(workload, spec::Recompute::none),
              layer_activations(workload, spec::Recompute::selective));
}

TEST(Footprint, UnfusedAttentionKeepsItsScoresUnlessTheyAreRecomputed)
{
    // Korthikanti et al., table 2: s b h (10 + 24 / t + 5 a s / (h t)) without recomputation, and
    // 5 a s^2 b / t less with selective: 5 * 64 / 8 heads * 2048^2 * 4 sequences.
    auto workload = korthikanti_22b();
    workload.framework.attention = spec::AttentionLibrary::unfused;
    EXPECT_EQ(layer_activations(workload, spec::Recompute::none) -
                  layer_activations(workload, spec::Recompute::selective),
              Bytes::of(5LL * 8 * 2048 * 2048 * 4));
}

TEST(Footprint, OneRankAloneKeepsThirtyFour)
{
    auto workload = korthikanti_22b();
    workload.plan.tensor = 1;
    for (const bool sequence_parallel : {false, true}) {
        workload.plan.sequence_parallel = sequence_parallel;
        EXPECT_EQ(layer_activations(workload, spec::Recompute::none),
                  Bytes::of(34LL * 2048 * 4 * 6144));
    }
}

// Llama-3-70B over 8 tensor ranks. A layer has 855,638,016 parameters in matrices, 106,954,752 a
// rank, and norms of 16,384 on each; embedding and head of 16,032 words each; a norm of 8,192:
// 80 * 106,971,136 + 2 * 131,334,144 + 8,192 = 8,820,367,360.
constexpr std::int64_t kParameters = 8'820'367'360;

TEST(Footprint, Llama3OfSeventyBillionOn128GpusTakesAboutSixtyFiveGigabytes)
{
    const auto stages = footprint(llama3_70b_on_128());
    ASSERT_EQ(stages.size(), 1U);
    const auto& stage = stages[0];
    EXPECT_EQ(stage.weights, Bytes::of(2 * kParameters));
    EXPECT_EQ(stage.gradients, Bytes::of(2 * kParameters));
    EXPECT_EQ(stage.optimizer, Bytes::of(12 * kParameters / 16));
    // 80 layers of 34 / 8 bytes for each of 8192 * 8192.
    EXPECT_EQ(stage.activations, Bytes::of(80LL * 34 * 8192 * 8192 / 8));
    // 16,032 logits a token in fp32 and bf16, and the gathered input of 8,192 in bf16.
    EXPECT_EQ(stage.temporary, Bytes::of(8192LL * (6 * 16'032 + 2 * 8192)));
    EXPECT_EQ(stage.reserved, Bytes::of(2'000'000'000));
    EXPECT_NEAR(static_cast<double>(stage.total().base()), 65e9, 3e9);
}

TEST(Footprint, WithoutShardingTheOptimizerEightyGigabytesAreNotEnough)
{
    auto workload = llama3_70b_on_128();
    workload.plan.zero = 0;
    EXPECT_EQ(footprint(workload)[0].optimizer, Bytes::of(12 * kParameters));
    EXPECT_GT(footprint(workload)[0].total(), Bytes::of(80'000'000'000));
}

TEST(Footprint, ASmallerZeroGroupSharesLess)
{
    auto workload = llama3_70b_on_128();
    workload.plan.zero_group = 4;
    EXPECT_EQ(footprint(workload)[0].optimizer, Bytes::of(12 * kParameters / 4));
}

TEST(Footprint, EarlierStagesHoldMoreMicroBatches)
{
    // Stage i of 4 holds min(m, 4 - i) micro-batches of its two layers, 34 s b h each.
    const auto stages = footprint(small_pipeline(4, 8));
    ASSERT_EQ(stages.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto held = 4 - static_cast<std::int64_t>(i);
        EXPECT_EQ(stages[i].activations, Bytes::of(held * 2 * 34 * 128 * 256));
    }
    const auto few = footprint(small_pipeline(4, 2));
    EXPECT_EQ(few[0].activations, Bytes::of(2 * 2 * 34 * 128 * 256));
}

TEST(Footprint, FullRecomputationKeepsLayerInputsAndOneLayerAtWork)
{
    auto workload = small_pipeline(2, 8);
    workload.recompute = spec::Recompute::full;
    const auto stage = footprint(workload)[0];
    EXPECT_EQ(stage.activations, Bytes::of(2 * 2 * 2 * 128 * 256));
    // The layer's 34 s b h again, and per token two hidden states, 2 * 512 and 512 of the MLP.
    EXPECT_EQ(stage.temporary, Bytes::of(34 * 128 * 256 + 2 * 128 * (2 * 256 + 1024 + 512)));
}

}  // namespace
}  // namespace sim::workload

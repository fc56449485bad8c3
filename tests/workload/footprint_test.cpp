#include "workload/footprint.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "workload/activations.hpp"
#include "workload/shard.hpp"
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
    workload.dropout = true;
    workload.sequence = 2048;
    workload.global_batch = 4;
    workload.micro_batch = 4;
    workload.plan.tensor = 8;
    workload.plan.layers_per_stage = {48};
    return workload;
}

Bytes kept(const spec::WorkloadSpec& workload, spec::Recompute recompute)
{
    return layer_activations(shard(workload), {}, recompute);
}

TEST(Footprint, ALayersActivationsFollowKorthikantisFormulas)
{
    // s b h = 2048 * 4 * 6144 = 50,331,648.
    constexpr std::int64_t sbh = 50'331'648;
    auto workload = korthikanti_22b();
    // Without sequence parallelism s b h (10 + 24 / t), with it s b h 34 / t; recomputed 2 s b h,
    // of which sequence parallelism keeps a share.
    EXPECT_EQ(kept(workload, spec::Recompute::selective), Bytes::of(13 * sbh));
    workload.plan.sequence_parallel = true;
    EXPECT_EQ(kept(workload, spec::Recompute::selective), Bytes::of(34 * sbh / 8));
    EXPECT_EQ(kept(workload, spec::Recompute::full), Bytes::of(2 * sbh / 8));
    workload.plan.sequence_parallel = false;
    EXPECT_EQ(kept(workload, spec::Recompute::full), Bytes::of(2 * sbh));
}

TEST(Footprint, ActivationsAreToldByWhatTheyAreOf)
{
    // Llama-3-70B, tensor 8 with sequence parallelism: 1,024 of 8,192 tokens around the halves, two
    // norms and two matrices; 8 + 8 heads of queries and outputs and 1 + 1 of keys and values; two
    // and one times 3,584 in the MLP; two bytes each.
    const auto kept = activation_kinds(shard(llama3_70b_on_128()), {}, spec::Recompute::selective);
    EXPECT_EQ(kept.inputs.base(), 2LL * 1024 * 8192 * 4);
    EXPECT_EQ(kept.mixer.base(), 2LL * 8192 * (8 + 8 + 1 + 1) * 128);
    EXPECT_EQ(kept.mlp.base(), 2LL * 8192 * 3 * 3584);
    EXPECT_EQ(kept.masks.base() + kept.scores.base() + kept.experts.base(), 0);
    EXPECT_EQ(kept.total(),
              layer_activations(shard(llama3_70b_on_128()), {}, spec::Recompute::selective));
}

TEST(Footprint, FusedAttentionKeepsNoSquareSoSelectiveRecomputationSavesNothing)
{
    const auto workload = korthikanti_22b();
    EXPECT_EQ(kept(workload, spec::Recompute::none), kept(workload, spec::Recompute::selective));
}

TEST(Footprint, UnfusedAttentionKeepsItsScoresUnlessTheyAreRecomputed)
{
    // Korthikanti et al., table 2: s b h (10 + 24 / t + 5 a s / (h t)) without recomputation, and
    // 5 a s^2 b / t less with selective: 5 * 64 / 8 heads * 2048^2 * 4 sequences.
    auto workload = korthikanti_22b();
    workload.framework.attention = spec::AttentionLibrary::unfused;
    EXPECT_EQ(kept(workload, spec::Recompute::none) - kept(workload, spec::Recompute::selective),
              Bytes::of(5LL * 8 * 2048 * 2048 * 4));
}

TEST(Footprint, OneRankAloneKeepsThirtyFour)
{
    auto workload = korthikanti_22b();
    workload.plan.tensor = 1;
    for (const bool sequence_parallel : {false, true}) {
        workload.plan.sequence_parallel = sequence_parallel;
        EXPECT_EQ(kept(workload, spec::Recompute::none), Bytes::of(34LL * 2048 * 4 * 6144));
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
    // Of each of 80 layers, two bytes an element: the inputs of two norms and two matrices, cut by
    // 8; queries, keys, values and outputs of 8 heads and one; gate and up of 3584 and their
    // product.
    constexpr std::int64_t kToken = 4 * 8192 / 8 + (1024 + 1280) + 3 * 3584;
    EXPECT_EQ(stage.activations, Bytes::of(80LL * 2 * 8192 * kToken));
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
    // Stage i of 4 holds min(m, 4 - i) micro-batches of its two layers. A layer has four hidden
    // states of h, four of attention (two heads of 128) and three of the MLP of 2 h: 2 * 14 s b h.
    const auto stages = footprint(small_pipeline(4, 8));
    ASSERT_EQ(stages.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto held = 4 - static_cast<std::int64_t>(i);
        EXPECT_EQ(stages[i].activations, Bytes::of(held * 2 * 28 * 128 * 256));
    }
    const auto few = footprint(small_pipeline(4, 2));
    EXPECT_EQ(few[0].activations, Bytes::of(2 * 2 * 28 * 128 * 256));
}

TEST(Footprint, FullRecomputationKeepsLayerInputsAndOneLayerAtWork)
{
    auto workload = small_pipeline(2, 8);
    workload.recompute = spec::Recompute::full;
    const auto stage = footprint(workload)[0];
    EXPECT_EQ(stage.activations, Bytes::of(2 * 2 * 2 * 128 * 256));
    // The layer's 28 s b h again, and per token two hidden states, 2 * 512 and 512 of the MLP.
    EXPECT_EQ(stage.temporary, Bytes::of(28 * 128 * 256 + 2 * 128 * (2 * 256 + 1024 + 512)));
}

TEST(Footprint, RecomputingSomeLayersKeepsTheOthersWhole)
{
    auto workload = small_pipeline(1, 1);
    workload.recompute = spec::Recompute::full;
    workload.recompute_layers = 1;
    // One layer keeps its input, the other its 28 s b h.
    EXPECT_EQ(footprint(workload)[0].activations, Bytes::of((2 + 28) * 128 * 256));
}

TEST(Footprint, EachStageOfZeroSharesOneKindMore)
{
    // 2 x 16 bytes of weights, gradients and Adam's state of Rajbhandari et al., arXiv:1910.02054,
    // figure 1: 16 P; then 4 P + 12 P / n; 2 P + 14 P / n; 16 P / n. Here n is 16.
    auto workload = llama3_70b_on_128();
    const auto model_states = [&](int stage) {
        workload.plan.zero = stage;
        const auto f = footprint(workload)[0];
        return (f.weights + f.gradients + f.optimizer).base();
    };
    EXPECT_EQ(model_states(0), 16 * kParameters);
    EXPECT_EQ(model_states(1), 4 * kParameters + 12 * kParameters / 16);
    EXPECT_EQ(model_states(2), 2 * kParameters + 14 * kParameters / 16);
    EXPECT_EQ(model_states(3), kParameters);
}

TEST(Footprint, ZeroThreeHoldsTwoLayersWhole)
{
    auto workload = llama3_70b_on_128();
    workload.plan.zero = 1;
    const auto one = footprint(workload)[0].temporary;
    workload.plan.zero = 3;
    workload.micro_batch = 1;
    // The head's logits were larger than a layer's work; now a layer has its working set of
    // 2 * 8192 (2 * 8192 + 7168 + 3584), two layers of 106,971,136 and the gradients of one.
    const std::int64_t layer = 2LL * 8192 * (2 * 8192 + 7168 + 3584);
    EXPECT_EQ(footprint(workload)[0].temporary,
              std::max(one, Bytes::of(layer + 2 * 2 * 106'971'136LL + 2 * 106'971'136LL)));
}

/// Fine-tuning Llama-2-7B on one GPU, one sequence of 4,096: what 13.5 GB of checkpoint need.
spec::WorkloadSpec fine_tuning()
{
    spec::WorkloadSpec workload;
    workload.model = llama2_7b();
    workload.sequence = 4096;
    workload.global_batch = 1;
    workload.micro_batch = 1;
    workload.gradient_precision = spec::Precision::bf16;
    workload.framework.optimizer_state_bytes = 12;
    workload.plan.layers_per_stage = {32};
    return workload;
}

TEST(Footprint, FullFineTuningTakesFiveToTenTimesTheCheckpoint)
{
    const auto workload = fine_tuning();
    const auto f = footprint(workload)[0];
    // 16 bytes a parameter where the checkpoint has 2, and the activations of 32 layers: a token
    // has 4 * 4096 + 4 * 4096 + 3 * 11008 elements.
    constexpr std::int64_t kCheckpoint = 2 * 6'738'415'616;
    EXPECT_EQ(f.weights + f.gradients + f.optimizer, Bytes::of(8 * kCheckpoint));
    EXPECT_EQ(f.activations, Bytes::of(32LL * 4096 * 2 * (8 * 4096 + 3 * 11008)));
    const double times = f.total() / Bytes::of(kCheckpoint);
    EXPECT_GT(times, 5);
    EXPECT_LT(times, 10);
}

TEST(Footprint, AnAdapterLeavesGradientsAndStateOfItsOwnFewParametersAlone)
{
    auto workload = fine_tuning();
    workload.adapter_rank = 16;
    const auto f = footprint(workload)[0];
    // Beside qkv of 4096 x 12288 and the projection of 4096 x 4096, rank 16: 32 layers of
    // 16 (4096 + 12288 + 4096 + 4096) = 393,216 numbers.
    constexpr std::int64_t kAdapter = 32 * 393'216;
    EXPECT_EQ(f.gradients, Bytes::of(2 * kAdapter));
    EXPECT_EQ(f.optimizer, Bytes::of(12 * kAdapter));
    EXPECT_EQ(f.weights, Bytes::of(2 * (6'738'415'616 + kAdapter)));
    workload.weights = spec::Precision::fp4;
    // QLoRA: 4 bits and 0.127 of scales.
    EXPECT_NEAR(static_cast<double>(footprint(workload)[0].weights.base()),
                4.127 / 8 * 6'738'415'616 + 2 * kAdapter, 1);
}

}  // namespace
}  // namespace sim::workload

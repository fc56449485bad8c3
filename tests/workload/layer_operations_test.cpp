#include "workload/layer_operations.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "workload/parameters.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

constexpr double kTokens = 8192;
/// h (a d + 2 g d) + a d h + 3 h f = 8192 (8192 + 2048 + 8192 + 3 * 28672) for Llama-3-70B.
constexpr double kMatrices = 8192.0 * (18432 + 86016);

double gemm_flops(const Recipe& recipe)
{
    double flops = 0;
    for (const auto& item : recipe.items()) {
        const bool gemm = item.operation.kind == spec::OperationKind::gemm;
        flops += gemm ? item.operation.flops.base() : 0;
    }
    return flops;
}

int index_of(const Recipe& recipe, const std::string& label)
{
    int index = 0;
    for (const auto& candidate : recipe.items()) {
        if (candidate.label == label) {
            return index;
        }
        ++index;
    }
    throw std::out_of_range{label};
}

Item item(const Recipe& recipe, const std::string& label)
{
    return recipe.items()[static_cast<std::size_t>(index_of(recipe, label))];
}

int collectives(const Recipe& recipe, CollectiveKind kind)
{
    int count = 0;
    for (const auto& entry : recipe.items()) {
        count += entry.kind == TaskKind::collective && entry.collective == kind ? 1 : 0;
    }
    return count;
}

std::int64_t gradients(const Recipe& recipe)
{
    std::int64_t sum = 0;
    for (const auto& entry : recipe.items()) {
        sum += entry.gradients;
    }
    return sum;
}

TEST(LayerOperations, ForwardGemmsTakeTwoOperationsPerParameterAndToken)
{
    const auto recipe = layer_forward(shard(llama3_70b_on_128()), {}, false);
    EXPECT_DOUBLE_EQ(8 * gemm_flops(recipe), 2 * kMatrices * kTokens);
}

TEST(LayerOperations, BackwardGemmsTakeFourOperationsPerParameterAndToken)
{
    const auto recipe = layer_backward(shard(llama3_70b_on_128()), {});
    EXPECT_DOUBLE_EQ(8 * gemm_flops(recipe), 4 * kMatrices * kTokens);
}

TEST(LayerOperations, CausalAttentionCountsHalfTheSquareAndItsBackwardRecomputesTheScores)
{
    // Two products of s x s x d for each of 8 local heads, half of each: 2 s^2 * 8 * 128.
    const double forward = 2.0 * 8192 * 8192 * 1024;
    const auto part = shard(llama3_70b_on_128());
    const auto ahead = item(layer_forward(part, {}, false), "attention").operation;
    EXPECT_DOUBLE_EQ(ahead.flops.base(), forward);
    EXPECT_EQ(ahead.batch, 8);
    const auto back = layer_backward(part, {});
    EXPECT_DOUBLE_EQ(item(back, "attention backward").operation.flops.base(), 2.5 * forward);
}

TEST(LayerOperations, UnfusedAttentionMultipliesTheWholeSquareAndMovesItThroughMemory)
{
    // 8 local heads of 8192 x 8192 scores, 2 bytes each: the softmax reads and writes them, its
    // backward reads two and writes one; dropout reads, writes and has a mask of a byte. Two
    // products forward, four backward, of 2 s^2 * 128 each.
    auto workload = llama3_70b_on_128();
    workload.framework.attention = spec::AttentionLibrary::unfused;
    const auto part = shard(workload);
    const double square = 8.0 * 8192 * 8192;
    const auto ahead = layer_forward(part, {}, false);
    EXPECT_DOUBLE_EQ(item(ahead, "softmax").operation.bytes, 2 * 2 * square);
    EXPECT_DOUBLE_EQ(item(ahead, "dropout").operation.bytes, 5 * square);
    EXPECT_DOUBLE_EQ(item(ahead, "scores").operation.flops.base(), 2 * 128 * square);
    EXPECT_DOUBLE_EQ(item(ahead, "context").operation.flops.base(), 2 * 128 * square);
    const auto back = layer_backward(part, {});
    EXPECT_DOUBLE_EQ(item(back, "softmax backward").operation.bytes, 3 * 2 * square);
    EXPECT_DOUBLE_EQ(item(back, "dropout backward").operation.bytes, 5 * square);
    for (const auto* label : {"softmax dgrad", "value grad", "query grad", "key grad"}) {
        EXPECT_DOUBLE_EQ(item(back, label).operation.flops.base(), 2 * 128 * square) << label;
        EXPECT_EQ(item(back, label).operation.batch, 8) << label;
    }
}

TEST(LayerOperations, GemmsHaveTheShapesOfARanksShare)
{
    // Per rank of 8: 8 query heads and one key-value head of 128, 3584 of the MLP's 28672.
    const auto recipe = layer_forward(shard(llama3_70b_on_128()), {}, false);
    const auto shape = [&](const char* label) {
        const auto& o = item(recipe, label).operation;
        return std::vector<std::int64_t>{o.m, o.n, o.k};
    };
    EXPECT_EQ(shape("qkv"), (std::vector<std::int64_t>{8192, 1280, 8192}));
    EXPECT_EQ(shape("projection"), (std::vector<std::int64_t>{8192, 8192, 1024}));
    EXPECT_EQ(shape("up"), (std::vector<std::int64_t>{8192, 7168, 8192}));
    EXPECT_EQ(shape("down"), (std::vector<std::int64_t>{8192, 8192, 3584}));
    // qkv reads 8192 x 8192 and 8192 x 1280, writes 8192 x 1280, two bytes each.
    EXPECT_DOUBLE_EQ(item(recipe, "qkv").operation.bytes, 2.0 * 8192 * (8192 + 1280 + 1280));
}

TEST(LayerOperations, NormsAndResidualsSeeAShareOfTheTokensWithSequenceParallelism)
{
    // Reads and writes one eighth of 8192 x 8192 hidden states of two bytes.
    auto workload = llama3_70b_on_128();
    const auto norm = [&] {
        return item(layer_forward(shard(workload), {}, false), "norm").operation.bytes;
    };
    EXPECT_DOUBLE_EQ(norm(), 2.0 * 2 * 8192 * 8192 / 8);
    workload.plan.sequence_parallel = false;
    EXPECT_DOUBLE_EQ(norm(), 2.0 * 2 * 8192 * 8192);
}

TEST(LayerOperations, SequenceParallelismGathersAndScattersTwiceAheadAndSixTimesBack)
{
    const auto part = shard(llama3_70b_on_128());
    const auto ahead = layer_forward(part, {}, false);
    EXPECT_EQ(collectives(ahead, CollectiveKind::all_gather), 2);
    EXPECT_EQ(collectives(ahead, CollectiveKind::reduce_scatter), 2);
    const auto back = layer_backward(part, {});
    EXPECT_EQ(collectives(back, CollectiveKind::all_gather), 4);
    EXPECT_EQ(collectives(back, CollectiveKind::reduce_scatter), 2);
    // Each carries s * b * h two-byte numbers: 8192 * 8192 * 2.
    EXPECT_EQ(item(ahead, "qkv gather").size, Bytes::of(134'217'728));
    EXPECT_EQ(item(ahead, "down reduce").size, Bytes::of(134'217'728));
}

TEST(LayerOperations, TensorParallelismAloneReducesTwiceAheadAndTwiceBack)
{
    auto workload = llama3_70b_on_128();
    workload.plan.sequence_parallel = false;
    const auto part = shard(workload);
    for (const auto& recipe : {layer_forward(part, {}, false), layer_backward(part, {})}) {
        EXPECT_EQ(collectives(recipe, CollectiveKind::all_reduce), 2);
        EXPECT_EQ(collectives(recipe, CollectiveKind::all_gather), 0);
        EXPECT_EQ(collectives(recipe, CollectiveKind::reduce_scatter), 0);
    }
}

TEST(LayerOperations, ASingleRankTalksToNobody)
{
    auto workload = llama3_70b_on_128();
    workload.plan.tensor = 1;
    const auto part = shard(workload);
    const auto ahead = layer_forward(part, {}, false);
    EXPECT_EQ(ahead.items().size(), 10U);
    const auto back = layer_backward(part, {});
    for (const auto& entry : back.items()) {
        EXPECT_EQ(entry.kind, TaskKind::kernel);
    }
}

TEST(LayerOperations, AKernelWaitsForTheCollectiveThatBringsItsInput)
{
    const auto recipe = layer_forward(shard(llama3_70b_on_128()), {}, false);
    EXPECT_EQ(item(recipe, "qkv").after, index_of(recipe, "qkv gather"));
    EXPECT_EQ(item(recipe, "residual and norm").after, index_of(recipe, "projection reduce"));
    EXPECT_EQ(item(recipe, "rotary").after, kNothing);
}

TEST(LayerOperations, BackwardHidesTheInputGatherAndTheReductionUnderOneGemmEach)
{
    const auto recipe = layer_backward(shard(llama3_70b_on_128()), {});
    // Exposed: the GEMM needs the gathered output gradient.
    EXPECT_EQ(item(recipe, "down dgrad").after, index_of(recipe, "down gradient gather"));
    // The saved input is gathered under dgrad, wgrad needs it.
    EXPECT_LT(index_of(recipe, "up input gather"), index_of(recipe, "up dgrad"));
    EXPECT_EQ(item(recipe, "up dgrad").after, kNothing);
    EXPECT_EQ(item(recipe, "up wgrad").after, index_of(recipe, "up input gather"));
    // The reduction runs under wgrad; the norm needs it.
    EXPECT_LT(index_of(recipe, "up gradient reduce"), index_of(recipe, "up wgrad"));
    EXPECT_EQ(recipe.items().back().after, index_of(recipe, "qkv gradient reduce"));
}

TEST(LayerOperations, RecomputedWorkIsMarkedAndTheRestIsNot)
{
    const auto part = shard(llama3_70b_on_128());
    const auto again = layer_forward(part, {}, true);
    for (const auto& entry : again.items()) {
        EXPECT_EQ(entry.operation.recomputed, entry.kind == TaskKind::kernel);
    }
    const auto once = layer_forward(part, {}, false);
    for (const auto& entry : once.items()) {
        EXPECT_FALSE(entry.operation.recomputed);
    }
}

TEST(LayerOperations, BackwardCompletesTheGradientOfEveryParameterOfTheRank)
{
    auto workload = llama3_70b_on_128();
    EXPECT_EQ(gradients(layer_backward(shard(workload), {})),
              layer_parameters(shard(workload), {}));
    workload.model.qkv_bias = true;
    workload.model.projection_bias = true;
    workload.model.mlp_bias = true;
    workload.model.gated_mlp = false;
    EXPECT_EQ(gradients(layer_backward(shard(workload), {})),
              layer_parameters(shard(workload), {}));
}

TEST(LayerOperations, AWeightGradientIsAddedIntoItsBuffer)
{
    // up: reads 8192 x 7168 and 8192 x 8192 of bf16, then the 7168 x 8192 buffer twice, bf16.
    const auto recipe = layer_backward(shard(llama3_70b_on_128()), {});
    EXPECT_DOUBLE_EQ(item(recipe, "up wgrad").operation.bytes,
                     2.0 * 8192 * (7168 + 8192) + 2.0 * 2 * 7168 * 8192);
}

TEST(LayerOperations, TheHeadWorksOnTheRanksShareOfTheWords)
{
    const auto part = shard(llama3_70b_on_128());
    const auto ahead = head_forward(part);
    EXPECT_EQ(item(ahead, "head").operation.n, 128'256 / 8);
    // Three sums of one fp32 number a token.
    EXPECT_EQ(collectives(ahead, CollectiveKind::all_reduce), 3);
    EXPECT_EQ(item(ahead, "loss sum").size, Bytes::of(4 * 8192));
    // Embedding of 16032 x 8192, norm of 8192.
    EXPECT_EQ(gradients(head_backward(part, HeadWeight::own)), 16'032 * 8'192 + 8'192);
    EXPECT_EQ(gradients(head_backward(part, HeadWeight::of_embedding)), 8'192);
    EXPECT_EQ(gradients(embedding_backward(part)), 16'032 * 8'192);
}

TEST(LayerOperations, KeysAndValuesAreRepeatedWhenThereAreFewerThanRanks)
{
    auto workload = llama3_70b_on_128();
    workload.plan.tensor = 16;
    EXPECT_EQ(shard(workload).kv_heads, 1);
    EXPECT_EQ(shard(workload).heads, 4);
}

TEST(LayerOperations, OneRankHoldsThePublishedCountOfALayer)
{
    auto workload = llama3_70b_on_128();
    workload.plan.tensor = 1;
    EXPECT_EQ(layer_parameters(shard(workload), {}), layer_parameters(workload.model, {}));
    EXPECT_EQ(stage_parameters(stages(workload)[0], shard(workload)),
              total_parameters(workload.model));
}

TEST(LayerOperations, StreamsAreSixteenBitsWideAroundFp8Gemms)
{
    auto workload = llama3_70b_on_128();
    const auto wide = layer_forward(shard(workload), {}, false);
    workload.precision = spec::Precision::fp8;
    const auto recipe = layer_forward(shard(workload), {}, false);
    EXPECT_EQ(item(recipe, "up").operation.precision, spec::Precision::fp8);
    EXPECT_EQ(item(recipe, "attention").operation.precision, spec::Precision::bf16);
    EXPECT_EQ(item(recipe, "norm").operation.bytes, item(wide, "norm").operation.bytes);
}

}  // namespace
}  // namespace sim::workload

#include <gtest/gtest.h>

#include <string>

#include "workload/instant_machine.hpp"
#include "workload/layer_operations.hpp"
#include "workload/model_flops.hpp"
#include "workload/parameters.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

constexpr spec::LayerKind kExperts{spec::Mixer::attention, true};
constexpr spec::LayerKind kDense{};
constexpr spec::LayerKind kLinear{spec::Mixer::linear, true};

/// Mixtral-8x7B's layer: 8 experts of 14336, two a token.
spec::ModelSpec mixtral()
{
    auto model = llama("Mixtral-8x7B", 4096, 32, 32);
    model.kv_heads = 8;
    model.ffn = 14336;
    model.experts = spec::ExpertsSpec{.count = 8, .per_token = 2, .ffn = 14336};
    return model;
}

/// DeepSeek-V2-Lite's: latent attention, 64 experts of 1408, six a token and two shared.
spec::ModelSpec deepseek_lite()
{
    auto model = llama("DeepSeek-V2-Lite", 2048, 2, 16);
    model.head_dim = 192;
    model.ffn = 10944;
    model.experts = spec::ExpertsSpec{.count = 64, .per_token = 6, .ffn = 1408, .shared_ffn = 2816};
    model.latent = spec::LatentSpec{
        .key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
    model.kinds = {kDense, kExperts};
    return model;
}

/// Qwen3-Next's: a gated delta rule, 512 experts of 512, ten a token.
spec::ModelSpec qwen3_next()
{
    auto model = llama("Qwen3-Next", 2048, 2, 16);
    model.kv_heads = 2;
    model.head_dim = 256;
    model.qk_norm = model.attention_gate = true;
    model.experts = spec::ExpertsSpec{
        .count = 512, .per_token = 10, .ffn = 512, .shared_ffn = 512, .shared_gate = true};
    model.linear = spec::LinearSpec{16, 32, 128, 128, 4};
    model.kinds = {kLinear, kExperts};
    return model;
}

/// A GPT-2 layer: biases, LayerNorm, learned positions.
spec::ModelSpec gpt()
{
    auto model = llama("GPT", 1024, 2, 16);
    model.head_dim = 64;
    model.ffn = 4096;
    model.gated_mlp = false;
    model.layer_norm = model.norm_bias = true;
    model.qkv_bias = model.projection_bias = model.mlp_bias = true;
    model.positions = 1024;
    model.tied_embeddings = true;
    return model;
}

spec::WorkloadSpec training(const spec::ModelSpec& model)
{
    spec::WorkloadSpec workload;
    workload.model = model;
    workload.sequence = 4096;
    workload.global_batch = 8;
    workload.micro_batch = 1;
    workload.framework.gradient_bucket = Bytes::of(200'000'000);
    return workload;
}

double gemm_flops(const Recipe& recipe, const std::string& without)
{
    double flops = 0;
    for (const auto& item : recipe.items()) {
        const bool gemm = item.operation.kind == spec::OperationKind::gemm;
        flops +=
            gemm && item.label.find(without) == std::string::npos ? item.operation.flops.base() : 0;
    }
    return flops;
}

const Item& item(const Recipe& recipe, const std::string& label)
{
    for (const auto& entry : recipe.items()) {
        if (entry.label == label) {
            return entry;
        }
    }
    throw std::out_of_range{label};
}

struct Gradients {
    std::int64_t shared = 0;
    std::int64_t experts = 0;
};

Gradients gradients(const Recipe& recipe)
{
    Gradients sum;
    for (const auto& entry : recipe.items()) {
        sum.shared += entry.gradients;
        sum.experts += entry.expert_gradients;
    }
    return sum;
}

TEST(ExpertOperations, AnUncutLayerHasTheModelsParametersAndGradientsOfAll)
{
    for (const auto& model : {mixtral(), deepseek_lite(), qwen3_next(), gpt()}) {
        for (int layer = 0; layer < 2; ++layer) {
            const auto kind = spec::layer_kind(model, layer);
            const auto part = shard(training(model));
            EXPECT_EQ(layer_parameters(part, kind) + expert_parameters(part, kind),
                      layer_parameters(model, kind))
                << model.name << " " << layer;
            const auto backward = layer_backward(part, kind);
            const auto ready = gradients(backward);
            EXPECT_EQ(ready.shared, layer_parameters(part, kind)) << model.name << " " << layer;
            EXPECT_EQ(ready.experts, expert_parameters(part, kind)) << model.name << " " << layer;
        }
    }
}

TEST(ExpertOperations, ProductsTakeTwoOperationsPerNumberATokenPassesThroughAndFourBack)
{
    for (const auto& model : {mixtral(), deepseek_lite(), qwen3_next()}) {
        const auto kind = spec::layer_kind(model, 1);
        const auto part = shard(training(model));
        const double expected = 2.0 * 4096 * static_cast<double>(active_matrices(model, kind));
        const auto forward = layer_forward(part, kind, false);
        const auto backward = layer_backward(part, kind);
        EXPECT_NEAR(gemm_flops(forward, "delta rule") / expected, 1, 1e-12) << model.name;
        EXPECT_NEAR(gemm_flops(backward, "delta rule") / (2 * expected), 1, 1e-12) << model.name;
    }
}

TEST(ExpertOperations, CuttingOverTensorAndExpertRanksLosesNoWork)
{
    // Eight tensor ranks with an eighth of the tokens each; experts over 4 groups of 2.
    auto workload = training(mixtral());
    workload.plan.tensor = 8;
    workload.plan.sequence_parallel = true;
    workload.plan.expert = 4;
    workload.plan.expert_tensor = 2;
    const auto part = shard(workload);
    const double expected =
        2.0 * 4096 * static_cast<double>(active_matrices(workload.model, kExperts));
    const auto forward = layer_forward(part, kExperts, false);
    EXPECT_NEAR(8 * gemm_flops(forward, "none") / expected, 1, 1e-12);
    // Two of eight experts, half of each.
    EXPECT_EQ(expert_parameters(part, kExperts), 2 * 3 * 4096 * 14336 / 2);
}

TEST(ExpertOperations, TokensTravelToTheirExpertsAndBack)
{
    auto workload = training(mixtral());
    workload.plan.data = 8;
    workload.plan.expert = 8;
    const auto forward = layer_forward(shard(workload), kExperts, false);
    // 4096 tokens to two experts each, 4096 numbers of two bytes.
    for (const auto* label : {"dispatch", "combine"}) {
        EXPECT_EQ(item(forward, label).collective, CollectiveKind::all_to_all);
        EXPECT_EQ(item(forward, label).size, Bytes::of(2LL * 4096 * 2 * 4096));
        EXPECT_EQ(item(forward, label).slot, Slot::expert);
    }
    // One expert on each rank gets 8 x 4096 x 2 / 8 tokens.
    EXPECT_EQ(item(forward, "experts up").operation.m, 8192);
    EXPECT_EQ(item(forward, "experts up").operation.batch, 1);
}

TEST(ExpertOperations, GatheringSendsEveryTokenToEveryRankWhateverItChose)
{
    auto workload = training(mixtral());
    workload.plan.data = 8;
    workload.plan.expert = 8;
    workload.plan.expert_dispatch = spec::Dispatch::all_gather;
    const auto forward = layer_forward(shard(workload), kExperts, false);
    EXPECT_EQ(item(forward, "dispatch").collective, CollectiveKind::all_gather);
    EXPECT_EQ(item(forward, "combine").collective, CollectiveKind::reduce_scatter);
    EXPECT_EQ(item(forward, "dispatch").size, Bytes::of(2LL * 8 * 4096 * 4096));
}

TEST(ExpertOperations, SharedExpertsMayWorkWhileTokensTravel)
{
    auto workload = training(deepseek_lite());
    workload.plan.data = 8;
    workload.plan.expert = 8;
    const auto order = [&](bool backward) {
        const auto part = shard(workload);
        const auto recipe =
            backward ? layer_backward(part, kExperts) : layer_forward(part, kExperts, false);
        std::string text;
        for (const auto& entry : recipe.items()) {
            for (const auto* name :
                 {"dispatch", "combine", "shared", "experts up", "experts down"}) {
                if (entry.label.rfind(name, 0) == 0) {
                    text += (text.empty() ? "" : ", ") + entry.label;
                }
            }
        }
        return text;
    };
    EXPECT_EQ(order(false), "shared up, shared down, dispatch, experts up, experts down, combine");
    workload.plan.overlap_shared_experts = true;
    EXPECT_EQ(order(false), "dispatch, shared up, experts up, experts down, combine, shared down");
    EXPECT_EQ(order(true),
              "combine backward, shared down dgrad, shared down wgrad, experts down dgrad, "
              "experts down wgrad, experts up dgrad, experts up wgrad, dispatch backward, "
              "shared up dgrad, shared up wgrad");
    const auto forward = layer_forward(shard(workload), kExperts, false);
    EXPECT_EQ(item(forward, "shared up").after, kNothing);
    EXPECT_NE(item(forward, "experts up").after, kNothing);
    const auto backward = layer_backward(shard(workload), kExperts);
    EXPECT_EQ(gradients(backward).shared, layer_parameters(shard(workload), kExperts));
}

TEST(ExpertOperations, TheFullestRankSetsThePaceUnlessExpertsHaveACapacity)
{
    auto workload = training(mixtral());
    workload.plan.data = 8;
    workload.plan.expert = 8;
    workload.plan.expert_imbalance = 1.5;
    EXPECT_EQ(shard(workload).experts.each(), 8192 * 3 / 2);
    workload.plan.expert_capacity = 1.0;
    EXPECT_EQ(shard(workload).experts.each(), 8192);
}

TEST(ExpertOperations, ExpertGroupsDivideTheRanksOfAStageAnew)
{
    // Two tensor ranks, four replicas, two stages: 8 ranks a stage in expert groups of 4, and ranks
    // 4 apart hold the same experts. Stage 1 has ranks 8 to 15.
    auto workload = training(mixtral());
    workload.plan.tensor = 2;
    workload.plan.sequence_parallel = true;
    workload.plan.data = 4;
    workload.plan.pipeline = 2;
    workload.plan.expert = 4;
    const auto graph = training_step(workload);
    const auto members = [&](std::size_t rank, Slot slot) {
        std::string text;
        const auto communicator = graph.slots[rank * graph.slots_per_rank + number(slot)];
        for (const auto member : graph.communicators[communicator].members) {
            text += std::to_string(member.index()) + " ";
        }
        return text;
    };
    EXPECT_EQ(members(1, Slot::expert), "0 1 2 3 ");
    EXPECT_EQ(members(14, Slot::expert), "12 13 14 15 ");
    EXPECT_EQ(members(1, Slot::expert_data), "1 5 ");
    EXPECT_EQ(members(10, Slot::expert_data), "10 14 ");
}

TEST(ExpertOperations, AStepOfEveryPlanEnds)
{
    for (const int zero : {0, 1, 3}) {
        for (const auto dispatch : {spec::Dispatch::all_to_all, spec::Dispatch::all_gather}) {
            auto workload = training(deepseek_lite());
            workload.plan.data = 4;
            workload.plan.expert = 2;
            workload.plan.expert_tensor = 1;
            workload.plan.zero = zero;
            workload.plan.expert_dispatch = dispatch;
            const auto graph = training_step(workload);
            InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 1.0; }};
            EXPECT_TRUE(machine.run()) << zero;
        }
    }
}

TEST(ExpertOperations, AStepWhoseSharedExpertsOverlapEnds)
{
    for (const int tensor : {1, 2}) {
        auto workload = training(deepseek_lite());
        workload.plan.tensor = tensor;
        workload.plan.data = 8 / tensor;
        workload.plan.sequence_parallel = tensor > 1;
        workload.plan.expert = 4;
        workload.plan.expert_tensor = tensor;
        workload.plan.overlap_shared_experts = true;
        const auto graph = training_step(workload);
        InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
        EXPECT_TRUE(machine.run()) << tensor;
    }
}

TEST(ExpertOperations, ModelFlopsCountActiveExpertsAlone)
{
    // 6 x tokens x (32 layers of active matrices + head) and attention by half.
    const auto workload = training(mixtral());
    const double layer = 4096.0 * (2 * 4096 + 2 * 1024) + 2 * 3 * 4096.0 * 14336 + 8 * 4096.0;
    const double expected = 6.0 * 1000 * (32 * (layer + 4096.0 * 4096) + 32000 * 4096.0);
    EXPECT_DOUBLE_EQ(model_flops(workload, 1000).base(), expected);
}

TEST(ExpertOperations, AWindowLimitsWhatATokenSees)
{
    auto workload = training(llama2_7b());
    workload.model.window = 1024;
    const auto part = shard(workload);
    // Of 4096 keys the last 1024: as many pairs as a causal square over 2 w - w^2 / s keys.
    EXPECT_EQ(part.keys_seen(spec::Mixer::window), 2048 - 256);
    EXPECT_EQ(part.keys_seen(spec::Mixer::attention), 4096);
    workload.model.window_in_chunks = true;
    EXPECT_EQ(shard(workload).keys_seen(spec::Mixer::window), 1024);
    workload.model.window = 8192;
    EXPECT_EQ(shard(workload).keys_seen(spec::Mixer::window), 4096);
}

TEST(ExpertOperations, LatentAttentionMultipliesWiderKeysThanValues)
{
    // 16 heads, 192 columns of a key and 128 of a value: causal, 2 s^2 / 2 x 320 a head.
    const auto forward = layer_forward(shard(training(deepseek_lite())), kExperts, false);
    EXPECT_DOUBLE_EQ(item(forward, "attention").operation.flops.base(), 4096.0 * 4096 * 320 * 16);
}

TEST(ExpertOperations, FrozenWeightsHaveNoGradientsAndAdaptersHave)
{
    auto workload = training(llama2_7b());
    workload.adapter_rank = 16;
    workload.adapter_mlp = true;
    const auto part = shard(workload);
    const auto backward = layer_backward(part, kDense);
    for (const auto& entry : backward.items()) {
        const bool weight = entry.label.find("wgrad") != std::string::npos;
        EXPECT_EQ(weight, weight && entry.label.find("adapter") != std::string::npos)
            << entry.label;
    }
    // qkv 4096 -> 12288, projection 4096 -> 4096, up 4096 -> 22016, down 11008 -> 4096.
    EXPECT_EQ(gradients(backward).shared,
              16 * (4096 + 12288 + 2 * 4096 + 4096 + 22016 + 11008 + 4096));
    EXPECT_EQ(trained_parameters(part, kDense), gradients(backward).shared);
    const auto embedding = embedding_backward(part);
    EXPECT_TRUE(embedding.items().empty());
}

TEST(ExpertOperations, DropoutAddsAMaskAndAKernelAHalf)
{
    auto workload = training(gpt());
    const auto plain = layer_forward(shard(workload), kDense, false);
    workload.dropout = true;
    const auto masked = layer_forward(shard(workload), kDense, false);
    // A byte an element of the hidden state.
    EXPECT_DOUBLE_EQ(
        item(masked, "residual").operation.bytes - item(plain, "residual").operation.bytes,
        4096.0 * 1024);
    EXPECT_DOUBLE_EQ(
        item(layer_backward(shard(workload), kDense), "dropout backward").operation.bytes,
        5.0 * 4096 * 1024);
}

}  // namespace
}  // namespace sim::workload

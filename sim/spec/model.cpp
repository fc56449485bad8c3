#include "spec/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/contract.hpp"
#include "spec/checker.hpp"

namespace sim::spec
{

namespace
{

void check_heads(Checker& check, const ModelSpec& model)
{
    if (model.heads > 0 && model.kv_heads > 0 && model.heads % model.kv_heads != 0) {
        check.error(
            "num_key_value_heads",
            fmt::format("{} does not divide the {} attention heads", model.kv_heads, model.heads),
            "every key-value head serves equally many query heads");
    }
}

void check_experts(Checker& check, const ExpertsSpec& experts)
{
    check.at_least("num_experts", experts.count, 1);
    check.at_least("num_experts_per_tok", experts.per_token, 1);
    check.at_least("moe_intermediate_size", experts.ffn, 1);
    check.at_least("shared_expert_intermediate_size", experts.shared_ffn, 0);
    if (experts.count > 0 && experts.per_token > experts.count) {
        check.error("num_experts_per_tok",
                    fmt::format("{} is more than the {} experts", experts.per_token, experts.count),
                    fmt::format("write at most {}", experts.count));
    }
}

void check_latent(Checker& check, const LatentSpec& latent)
{
    check.at_least("q_lora_rank", latent.query_rank, 0);
    check.at_least("kv_lora_rank", latent.key_value_rank, 1);
    check.at_least("qk_nope_head_dim", latent.plain_dim, 0);
    check.at_least("qk_rope_head_dim", latent.rotary_dim, 0);
    check.at_least("v_head_dim", latent.value_dim, 1);
}

void check_linear(Checker& check, const LinearSpec& linear)
{
    check.at_least("linear_num_key_heads", linear.key_heads, 1);
    check.at_least("linear_num_value_heads", linear.value_heads, 1);
    check.at_least("linear_key_head_dim", linear.key_dim, 1);
    check.at_least("linear_value_head_dim", linear.value_dim, 1);
    check.at_least("linear_conv_kernel_dim", linear.kernel, 1);
}

template <class Wanted>
bool any_layer(const ModelSpec& model, Wanted wanted)
{
    return std::any_of(model.kinds.begin(), model.kinds.end(), wanted);
}

void check_kinds(Checker& check, const ModelSpec& model)
{
    if (model.kinds.empty()) {
        return;
    }
    const auto mixes = [](Mixer mixer) {
        return [mixer](const LayerKind& kind) { return kind.mixer == mixer; };
    };
    if (model.kinds.size() != static_cast<std::size_t>(model.layers)) {
        check.error("layer_types",
                    fmt::format("names {} layers, but num_hidden_layers is {}", model.kinds.size(),
                                model.layers),
                    "name every layer");
    }
    if (any_layer(model, mixes(Mixer::window))) {
        check.at_least("sliding_window", model.window, 1);
    }
    if (any_layer(model, mixes(Mixer::linear)) && !model.linear) {
        check.error("linear_num_value_heads", "missing, but layers are linear_attention",
                    "give linear_num_key_heads, linear_num_value_heads, linear_key_head_dim, "
                    "linear_value_head_dim and linear_conv_kernel_dim");
    }
    if (any_layer(model, [](const LayerKind& kind) { return kind.experts; }) && !model.experts) {
        check.error("num_experts", "missing, but layers have experts",
                    "give num_experts, num_experts_per_tok and moe_intermediate_size");
    }
}

bool has_dense_layers(const ModelSpec& model)
{
    return !model.experts || any_layer(model, [](const LayerKind& kind) { return !kind.experts; });
}

}  // namespace

LayerKind layer_kind(const ModelSpec& model, int layer)
{
    if (model.kinds.empty()) {
        return {Mixer::attention, model.experts.has_value()};
    }
    SIM_EXPECT(layer >= 0 && static_cast<std::size_t>(layer) < model.kinds.size());
    return model.kinds[static_cast<std::size_t>(layer)];
}

/// The keys are config.json's, since that is where the user wrote the numbers.
Diagnostics validate(const ModelSpec& model, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.at_least("hidden_size", model.hidden, 1);
    check.at_least("num_hidden_layers", model.layers, 1);
    check.at_least("num_attention_heads", model.heads, 1);
    check.at_least("num_key_value_heads", model.kv_heads, 1);
    check.at_least("head_dim", model.head_dim, 1);
    if (has_dense_layers(model)) {
        check.at_least("intermediate_size", model.ffn, 1);
    }
    check.at_least("vocab_size", model.vocab, 1);
    check_heads(check, model);
    if (model.experts) {
        check_experts(check, *model.experts);
    }
    if (model.latent) {
        check_latent(check, *model.latent);
    }
    if (model.linear) {
        check_linear(check, *model.linear);
    }
    check_kinds(check, model);
    return diagnostics;
}

}  // namespace sim::spec

#include "config/model_families.hpp"

#include <algorithm>

namespace sim::config
{

namespace
{

/// GPT-2 and its heirs: LayerNorm, biases everywhere, two matrices in the MLP.
constexpr Family gpt(std::string_view type)
{
    Family family{type};
    family.gated_mlp = false;
    family.layer_norm = family.norm_bias = true;
    family.qkv_bias = family.projection_bias = family.mlp_bias = true;
    return family;
}

constexpr Family gpt2()
{
    auto family = gpt("gpt2");
    family.learned_positions = family.tied_embeddings = true;
    return family;
}

constexpr Family phi()
{
    auto family = gpt("phi");
    family.layer_norms = 1;
    family.parallel = family.head_bias = true;
    return family;
}

constexpr Family gpt_neox()
{
    auto family = gpt("gpt_neox");
    family.parallel = true;
    return family;
}

constexpr Family gemma3(std::string_view type)
{
    Family family{type};
    family.layer_norms = 4;
    family.qk_norm = family.tied_embeddings = true;
    family.windows = Windows::but_last_of;
    // Published files leave out what equals the default of Gemma3TextConfig in transformers.
    family.window_pattern = 6;
    family.heads = 8;
    family.kv_heads = 4;
    family.head_dim = 256;
    family.vocab = 262208;
    return family;
}

constexpr Family llama4(std::string_view type)
{
    Family family{type};
    family.experts = true;
    family.expert_ffn_is_intermediate = family.shared_ffn_is_intermediate = true;
    return family;
}

/// By name. Facts as in transformers' modeling_*.py of each; tests hold the counts against the
/// published ones.
constexpr Family kFamilies[] = {
    {.type = "dbrx", .layer_norm = true, .experts = true},
    {.type = "deepseek_v2", .experts = true},
    {.type = "deepseek_v3", .experts = true, .router_bias = true},
    {.type = "gemma", .tied_embeddings = true},
    {.type = "gemma2", .layer_norms = 4, .tied_embeddings = true, .windows = Windows::even},
    gemma3("gemma3"),
    gemma3("gemma3_text"),
    gpt2(),
    gpt_neox(),
    {.type = "gpt_oss",
     .qkv_bias = true,
     .projection_bias = true,
     .attention_sinks = true,
     .windows = Windows::even,
     .experts = true,
     .expert_ffn_is_intermediate = true,
     .router_bias = true,
     .expert_bias = true},
    {.type = "internlm"},
    {.type = "llama"},
    llama4("llama4"),
    llama4("llama4_text"),
    {.type = "mistral", .windows = Windows::every},
    {.type = "mixtral",
     .windows = Windows::every,
     .experts = true,
     .expert_ffn_is_intermediate = true},
    {.type = "mpt", .gated_mlp = false, .layer_norm = true, .tied_embeddings = true},
    {.type = "nemotron", .gated_mlp = false, .layer_norm = true, .norm_bias = true},
    phi(),
    {.type = "phi3", .windows = Windows::every},
    {.type = "phimoe",
     .layer_norm = true,
     .norm_bias = true,
     .windows = Windows::every,
     .experts = true,
     .expert_ffn_is_intermediate = true},
    {.type = "qwen2", .qkv_bias = true, .windows = Windows::upper},
    {.type = "qwen2_moe",
     .qkv_bias = true,
     .windows = Windows::upper,
     .experts = true,
     .shared_gate = true},
    {.type = "qwen3", .qk_norm = true, .windows = Windows::upper},
    {.type = "qwen3_moe", .qk_norm = true, .windows = Windows::upper, .experts = true},
    {.type = "qwen3_next",
     .qk_norm = true,
     .attention_gate = true,
     .experts = true,
     .shared_gate = true},
};

constexpr Family kCustom{.type = "custom", .windows = Windows::every};

}  // namespace

const Family* find_family(std::string_view type)
{
    const auto* found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                     [&](const Family& family) { return family.type == type; });
    return found == std::end(kFamilies) ? nullptr : found;
}

const Family& custom_family() { return kCustom; }

std::vector<std::string> known_families()
{
    std::vector<std::string> known;
    for (const auto& family : kFamilies) {
        known.emplace_back(family.type);
    }
    return known;
}

}  // namespace sim::config

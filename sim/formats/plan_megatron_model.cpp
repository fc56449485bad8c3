#include <fmt/format.h>

#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

void read_shapes(PlanKeys& keys)
{
    keys.copy("num-layers", "model.num_hidden_layers");
    keys.copy("hidden-size", "model.hidden_size");
    keys.copy("hidden-width", "model.hidden_size");
    keys.copy("num-attention-heads", "model.num_attention_heads");
    keys.copy("num-heads", "model.num_attention_heads");
    keys.copy("num-key-value-heads", "model.num_key_value_heads");
    if (keys.truth({"group-query-attention"}).value_or(false)) {
        keys.copy("num-query-groups", "model.num_key_value_heads");
    }
    keys.copy("kv-channels", "model.head_dim");
    keys.copy("ffn-hidden-size", "model.intermediate_size");
    keys.copy("intermediate-size", "model.intermediate_size");
    keys.copy("vocab-size", "model.vocab_size");
    keys.copy("padded-vocab-size", "model.vocab_size");
}

/// Megatron's defaults are GPT-2's: a bias on every matrix, LayerNorm, learned positions, tied
/// embeddings, an MLP of four times the width without a gate.
void read_habits(PlanKeys& keys)
{
    const auto family = keys.take({"model-type"}).value_or("");
    const bool llama = family.rfind("llama", 0) == 0 || family.rfind("mistral", 0) == 0;
    const bool gated = keys.truth({"swiglu"}).value_or(llama);
    const bool rms =
        keys.take({"normalization"}).value_or(llama ? "RMSNorm" : "LayerNorm") == "RMSNorm";
    const bool bias = !keys.truth({"disable-bias-linear"}).value_or(llama);
    const bool untied = keys.truth({"untie-embeddings-and-output-weights"}).value_or(llama);
    const auto positions =
        keys.take({"position-embedding-type"}).value_or(llama ? "rope" : "learned_absolute");
    const auto word = [](bool value) { return value ? "true" : "false"; };
    keys.set("model.gated_mlp", word(gated), "swiglu");
    keys.set("model.layer_norm", word(!rms), "normalization");
    keys.set("model.norm_bias", word(!rms), "normalization");
    keys.set("model.attention_bias", word(bias), "disable-bias-linear");
    keys.set("model.mlp_bias", word(bias), "disable-bias-linear");
    if (keys.truth({"add-qkv-bias"}).value_or(false)) {
        keys.set("model.qkv_bias", "true", "add-qkv-bias");
    }
    if (keys.truth({"qk-layernorm"}).value_or(false)) {
        keys.set("model.qk_norm", "true", "qk-layernorm");
    }
    keys.set("model.tie_word_embeddings", word(!untied), "untie-embeddings-and-output-weights");
    const auto most = keys.count({"max-position-embeddings"});
    if (positions == "learned_absolute" && most) {
        keys.set("model.learned_positions", std::to_string(*most), "max-position-embeddings");
    }
    const auto hidden = keys.plan().number("model.hidden_size");
    if (!keys.plan().find("model.intermediate_size") && hidden) {
        // megatron/training/arguments.py: two thirds of 4 h, in multiples of 64, with a gate.
        const auto width = gated ? 4 * *hidden * 2 / 3 / 64 * 64 : 4 * *hidden;
        keys.set("model.intermediate_size", std::to_string(width), "the default of hidden-size");
    }
}

void read_experts(PlanKeys& keys)
{
    if (!keys.written("num-experts") && !keys.written("num-moe-experts")) {
        return;
    }
    keys.copy("num-experts", "model.num_experts");
    keys.copy("num-moe-experts", "model.num_experts");
    keys.set("model.num_experts_per_tok",
             std::to_string(keys.count({"moe-router-topk"}).value_or(2)), "moe-router-topk");
    const auto width = keys.count({"moe-ffn-hidden-size"});
    keys.set(
        "model.moe_intermediate_size",
        width ? std::to_string(*width) : keys.plan().find("model.intermediate_size").value_or("0"),
        "moe-ffn-hidden-size");
    keys.copy("moe-shared-expert-intermediate-size", "model.shared_expert_intermediate_size");
    if (const auto capacity = keys.take({"moe-expert-capacity-factor"})) {
        keys.set("parallel.expert_capacity", *capacity, "moe-expert-capacity-factor");
    }
    if (const auto dispatcher = keys.take({"moe-token-dispatcher-type"})) {
        keys.set("parallel.expert_dispatch",
                 *dispatcher == "allgather" ? "all_gather" : "all_to_all",
                 "moe-token-dispatcher-type");
    }
    if (const auto every = keys.take({"moe-layer-freq"}); every && *every != "1") {
        keys.warn("moe-layer-freq", fmt::format("\"{}\" is not taken over", *every),
                  "write model.first_k_dense_replace or model.moe_layers");
    }
}

void read_latent(PlanKeys& keys)
{
    if (!keys.truth({"multi-latent-attention"}).value_or(false)) {
        return;
    }
    const auto with_default = [&](const char* theirs, const char* ours, const char* otherwise) {
        const auto value = keys.count({theirs});
        keys.set(ours, value ? std::to_string(*value) : otherwise, theirs);
    };
    keys.copy("q-lora-rank", "model.q_lora_rank");
    with_default("kv-lora-rank", "model.kv_lora_rank", "32");
    with_default("qk-head-dim", "model.qk_nope_head_dim", "128");
    with_default("qk-pos-emb-head-dim", "model.qk_rope_head_dim", "64");
    with_default("v-head-dim", "model.v_head_dim", "128");
}

}  // namespace

void read_megatron_model(PlanKeys& keys)
{
    read_shapes(keys);
    read_habits(keys);
    read_experts(keys);
    read_latent(keys);
}

}  // namespace sim::formats

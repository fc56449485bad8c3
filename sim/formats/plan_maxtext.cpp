#include <fmt/format.h>

#include <string>
#include <utility>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

/// What a decoder block is called elsewhere, and how many layers one of it holds.
struct Block {
    const char* word;
    const char* family;
    int layers;
};

constexpr Block kBlocks[] = {
    {"llama2", "llama", 1},        {"mistral", "mistral", 1},      {"mixtral", "mixtral", 1},
    {"gemma", "gemma", 1},         {"gemma2", "gemma2", 2},        {"gemma3", "gemma3", 1},
    {"gpt_oss", "gpt_oss", 1},     {"deepseek", "deepseek_v3", 1}, {"qwen3", "qwen3", 1},
    {"qwen3_moe", "qwen3_moe", 1}, {"llama4", "llama4", 1},        {"default", "llama", 1},
};

void read_layers(PlanKeys& keys)
{
    const auto word = keys.take({"decoder_block"}).value_or("llama2");
    const auto layers = keys.count({"base_num_decoder_layers"});
    for (const auto& block : kBlocks) {
        if (word == block.word) {
            keys.set("model.model_type", block.family, "decoder_block: " + word);
            if (layers) {
                keys.set("model.num_hidden_layers", std::to_string(block.layers * *layers),
                         block.layers > 1 ? "base_num_decoder_layers, of two layers each"
                                          : "base_num_decoder_layers");
            }
            return;
        }
    }
    keys.warn("decoder_block", fmt::format("\"{}\" is a block that is not known", word),
              "give the model: --model config.json");
}

void read_model(PlanKeys& keys)
{
    read_layers(keys);
    constexpr std::pair<const char*, const char*> same[] = {
        {"base_emb_dim", "model.hidden_size"},
        {"base_num_query_heads", "model.num_attention_heads"},
        {"base_num_kv_heads", "model.num_key_value_heads"},
        {"base_mlp_dim", "model.intermediate_size"},
        {"head_dim", "model.head_dim"},
        {"vocab_size", "model.vocab_size"},
        {"num_experts_per_tok", "model.num_experts_per_tok"},
        {"base_moe_mlp_dim", "model.moe_intermediate_size"},
        {"sliding_window_size", "model.sliding_window"},
        {"shared_experts", "model.n_shared_experts"},
        {"first_num_dense_layers", "model.first_k_dense_replace"},
        {"q_lora_rank", "model.q_lora_rank"},
        {"kv_lora_rank", "model.kv_lora_rank"},
        {"qk_nope_head_dim", "model.qk_nope_head_dim"},
        {"qk_rope_head_dim", "model.qk_rope_head_dim"},
        {"v_head_dim", "model.v_head_dim"},
    };
    for (const auto& [theirs, ours] : same) {
        keys.copy(theirs, ours);
    }
    if (const auto experts = keys.count({"num_experts"}); experts.value_or(1) > 1) {
        keys.set("model.num_experts", std::to_string(*experts), "num_experts");
    }
    const bool tied = keys.truth({"logits_via_embedding"}).value_or(false);
    keys.set("model.tie_word_embeddings", tied ? "true" : "false", "logits_via_embedding");
}

/// Ranks of a kind in a slice and over slices.
std::int64_t degree(PlanKeys& keys, const char* inside, const char* outside)
{
    return keys.count({inside}).value_or(1) * keys.count({outside}).value_or(1);
}

void read_plan(PlanKeys& keys)
{
    const auto set = [&](const char* inside, const char* outside, const char* ours) {
        const auto ranks = degree(keys, inside, outside);
        if (ranks > 1) {
            keys.set(ours, std::to_string(ranks), inside);
        }
    };
    set("ici_tensor_parallelism", "dcn_tensor_parallelism", "parallel.tensor");
    set("ici_pipeline_parallelism", "dcn_pipeline_parallelism", "parallel.pipeline");
    set("ici_context_parallelism", "dcn_context_parallelism", "parallel.context");
    set("ici_expert_parallelism", "dcn_expert_parallelism", "parallel.expert");
    if (keys.written("ici_fsdp_parallelism") || keys.written("dcn_fsdp_parallelism")) {
        const auto shards = degree(keys, "ici_fsdp_parallelism", "dcn_fsdp_parallelism");
        keys.set("parallel.zero", shards == 1 ? "0" : "3", "ici_fsdp_parallelism");
    }
    keys.copy("max_target_length", "sequence");
    keys.copy("per_device_batch_size", "micro_batch");
    keys.plan().accumulation = keys.count({"gradient_accumulation_steps"});
    if (const auto type = keys.take({"dtype"})) {
        keys.set("precision", *type == "bfloat16" ? "bf16" : "fp32", "dtype");
        keys.set("gradient_precision", *type == "bfloat16" ? "bf16" : "fp32", "dtype");
    }
    if (const auto policy = keys.take({"remat_policy"})) {
        keys.set("recompute", *policy == "full" ? "full" : "none", "remat_policy");
        if (*policy != "full" && *policy != "none") {
            keys.warn("remat_policy", fmt::format("\"{}\" keeps some kernels' results, which is "
                                                  "not taken over: nothing is recomputed",
                                                  *policy));
        }
    }
}

}  // namespace

void read_maxtext(PlanKeys& keys)
{
    read_model(keys);
    read_plan(keys);
    keys.warn_of({
        {"enable_dropout", "false", "masks are kept and applied"},
        {"quantization", "", "products would run narrower: give --precision"},
        {"mtp_num_layers", "0", "further tokens would be predicted"},
    });
    keys.harmless({"mlp_activations*", "normalization_*", "rope_*",         "final_logits_*",
                   "attn_logits_*",    "use_post_*",      "beta_*",         "max_position_*",
                   "original_max_*",   "attention_bias",  "attention_sink", "routed_*",
                   "mlp_bias",         "inhomogeneous_*", "tokenizer*",     "model_name",
                   "query_pre_*",      "mscale*",         "run_name",       "base_output_*",
                   "logical_axis_*"});
}

}  // namespace sim::formats

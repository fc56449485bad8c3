#include <fmt/format.h>

#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

void read_batches(PlanKeys& keys)
{
    keys.copy("max_seq_len", "sequence");
    keys.copy("global_train_batch_size", "global_batch");
    keys.copy("device_train_microbatch_size", "micro_batch");
}

/// What llm-foundry's MPTConfig has unless it is told otherwise: biases, learned positions, tied
/// embeddings, LayerNorm, an MLP of four times the width without a gate.
void read_mpt(PlanKeys& keys)
{
    keys.set("model.model_type", "mpt", "model.name");
    keys.copy("model.d_model", "model.hidden_size");
    keys.copy("model.n_heads", "model.num_attention_heads");
    keys.copy("model.n_layers", "model.num_hidden_layers");
    keys.copy("model.vocab_size", "model.vocab_size");
    keys.copy("model.attn_config.kv_n_heads", "model.num_key_value_heads");
    const auto hidden = keys.plan().number("model.hidden_size");
    const auto ratio = keys.count({"model.expansion_ratio"}).value_or(4);
    if (hidden) {
        keys.set("model.intermediate_size", std::to_string(ratio * *hidden), "expansion_ratio");
    }
    const auto* bias = keys.truth({"model.no_bias"}).value_or(false) ? "false" : "true";
    for (const auto* ours : {"model.attention_bias", "model.mlp_bias", "model.norm_bias"}) {
        keys.set(ours, bias, "no_bias");
    }
    const bool tied = keys.truth({"model.tie_word_embeddings"}).value_or(true);
    keys.set("model.tie_word_embeddings", tied ? "true" : "false", "tie_word_embeddings");
    const bool alibi = keys.truth({"model.attn_config.alibi"}).value_or(false);
    const auto most = keys.count({"model.max_seq_len"});
    if (most && keys.truth({"model.learned_pos_emb"}).value_or(!alibi)) {
        keys.set("model.learned_positions", std::to_string(*most), "learned_pos_emb");
    }
    if (keys.take({"model.attn_config.attn_impl"}).value_or("flash") == "torch") {
        keys.set("framework.attention", "unfused", "model.attn_config.attn_impl");
    }
}

void read_model(PlanKeys& keys)
{
    const auto name = keys.take({"model.name"}).value_or("");
    if (name == "mpt_causal_lm") {
        read_mpt(keys);
    } else {
        keys.plan().model_words = keys.take({"model.pretrained_model_name_or_path"}).value_or(name);
    }
    if (keys.written("model.peft_config.peft_type")) {
        keys.copy("model.peft_config.r", "adapter_rank");
    }
}

void read_precision(PlanKeys& keys)
{
    const auto word = keys.take({"precision"});
    if (word) {
        const auto width = word->rfind("amp_", 0) == 0 ? word->substr(4) : *word;
        keys.set("precision", width, "precision");
    }
    const auto mixed = keys.take({"fsdp_config.mixed_precision"}).value_or("DEFAULT");
    const bool pure = mixed == "PURE" && word && *word != "fp32";
    const auto narrow = word && word->find("fp16") != std::string::npos ? "fp16" : "bf16";
    keys.set("gradient_precision", pure ? narrow : "fp32", "fsdp_config.mixed_precision");
}

void read_fsdp(PlanKeys& keys)
{
    const bool sharded = keys.written("fsdp_config.sharding_strategy") ||
                         keys.written("fsdp_config.mixed_precision");
    const auto strategy =
        keys.take({"fsdp_config.sharding_strategy"}).value_or(sharded ? "FULL_SHARD" : "NO_SHARD");
    const bool hybrid = strategy.find("HYBRID") != std::string::npos;
    keys.set("parallel.zero",
             strategy == "NO_SHARD"        ? "0"
             : strategy == "SHARD_GRAD_OP" ? "2"
                                           : "3",
             "fsdp_config.sharding_strategy");
    if (hybrid) {
        keys.warn("fsdp_config.sharding_strategy",
                  "shards inside a node: write parallel.zero_group, the GPUs of a node");
    }
    if (keys.truth({"fsdp_config.activation_checkpointing"}).value_or(false)) {
        keys.set("recompute", "full", "fsdp_config.activation_checkpointing");
    }
    const bool offloads = keys.truth({"fsdp_config.activation_cpu_offload"}).value_or(false);
    const auto layers = keys.plan().number("model.num_hidden_layers");
    if (offloads && layers) {
        keys.set("activation_offload", std::to_string(*layers),
                 "fsdp_config.activation_cpu_offload");
    } else if (offloads) {
        keys.warn("fsdp_config.activation_cpu_offload", "is not taken over",
                  "write activation_offload, the layers of the model");
    }
    keys.warn_of({
        {"fsdp_config.cpu_offload", "false", "parameters would live on the host"},
        {"fsdp_config.limit_all_gathers", "true", "more layers would be gathered ahead"},
    });
}

}  // namespace

void read_llm_foundry(PlanKeys& keys)
{
    read_batches(keys);
    read_model(keys);
    read_precision(keys);
    read_fsdp(keys);
    if (const auto name = keys.take({"optimizer.name"})) {
        keys.set("optimizer", *name == "decoupled_sgdw" ? "momentum" : "adam", "optimizer.name");
    }
    keys.set("gradient_clipping",
             keys.written("algorithms.gradient_clipping.clipping_type") ? "true" : "false",
             "algorithms.gradient_clipping");
    (void)keys.take({"algorithms.gradient_clipping.clipping_type"});
    keys.warn_of({
        {"compile_config", "", "a compiler would fuse kernels"},
        {"model.attn_config.sliding_window_size", "-1", "attention would look back no further"},
    });
    keys.harmless(
        {"variables.",     "run_name",      "model.",        "tokenizer.",   "train_loader.",
         "eval_loader.",   "scheduler.",    "optimizer.",    "algorithms.",  "max_duration",
         "eval_*",         "seed",          "device_eval_*", "fsdp_config.", "progress_bar",
         "log_to_console", "console_log_*", "callbacks*",    "loggers*",     "save_*",
         "load_*",         "icl_*",         "eval_loaders*", "dist_timeout", "python_log_level",
         "fsdp_config",    "autoresume",    "data_local",    "data_remote",  "tokenizer_name",
         "global_seed",    "models",        "icl_tasks",     "precision",    "max_split_size_mb"});
}

}  // namespace sim::formats

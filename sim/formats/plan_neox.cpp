#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

void read_degrees(PlanKeys& keys)
{
    const auto stages = keys.count({"pipe_parallel_size"});
    if (stages) {
        keys.set("parallel.pipeline", std::to_string(std::max<std::int64_t>(1, *stages)),
                 "pipe_parallel_size");
    }
    keys.copy("model_parallel_size", "parallel.tensor");
    keys.copy("zero_optimization.stage", "parallel.zero");
    if (keys.truth({"sequence_parallel"}).value_or(false)) {
        keys.set("parallel.sequence_parallel", "true", "sequence_parallel");
    }
    keys.copy("train_micro_batch_size_per_gpu", "micro_batch");
    keys.copy("train_batch_size", "global_batch");
    keys.copy("seq_length", "sequence");
    keys.plan().accumulation = keys.count({"gradient_accumulation_steps", "gas"});
}

/// One matrix makes both inputs of a gate: a third of what the file calls the width is one's.
void read_width(PlanKeys& keys)
{
    const auto activation = keys.take({"activation"}).value_or("gelu");
    const bool gated = activation == "swiglu" || activation == "geglu" || activation == "reglu";
    keys.set("model.gated_mlp", gated ? "true" : "false", "activation");
    const bool bias = keys.truth({"use_bias_in_mlp"}).value_or(!gated);
    keys.set("model.mlp_bias", bias ? "true" : "false", "use_bias_in_mlp");
    const auto hidden = keys.plan().number("model.hidden_size");
    const auto width = keys.count({"intermediate_size"});
    if (!hidden && !width) {
        return;
    }
    auto each = width.value_or(4 * hidden.value_or(0));
    if (gated) {
        const auto multiple =
            std::max<std::int64_t>(1, keys.count({"mlp_multiple_of"}).value_or(1));
        each = (each / 3 + multiple - 1) / multiple * multiple;
    }
    keys.set("model.intermediate_size", std::to_string(each), "intermediate_size");
}

void read_model(PlanKeys& keys)
{
    if (!keys.written("hidden_size")) {
        return;
    }
    keys.copy("num_layers", "model.num_hidden_layers");
    keys.copy("hidden_size", "model.hidden_size");
    keys.copy("num_attention_heads", "model.num_attention_heads");
    keys.copy("num_kv_heads", "model.num_key_value_heads");
    read_width(keys);
    const auto norm = keys.take({"norm"}).value_or("layernorm");
    const bool plain = norm == "layernorm";
    const auto word = [](bool value) { return value ? "true" : "false"; };
    keys.set("model.layer_norm", word(plain), "norm");
    const bool biased = keys.truth({"use_bias_in_norms"}).value_or(true);
    keys.set("model.norm_bias", word(plain && biased), "use_bias_in_norms");
    keys.set("model.attention_bias", word(keys.truth({"use_bias_in_attn_linear"}).value_or(true)),
             "use_bias_in_attn_linear");
    keys.set("model.tie_word_embeddings", word(!keys.truth({"no_weight_tying"}).value_or(false)),
             "no_weight_tying");
    keys.set("model.parallel", word(keys.truth({"gpt_j_residual"}).value_or(false)),
             "gpt_j_residual");
    const auto most = keys.count({"max_position_embeddings"});
    if (keys.take({"pos_emb"}).value_or("learned") == "learned" && most) {
        keys.set("model.learned_positions", std::to_string(*most), "pos_emb");
    }
    const auto attention = keys.take({"attention_config"}).value_or("");
    if (attention.find("flash") == std::string::npos &&
        attention.find("...") == std::string::npos) {
        keys.set("framework.attention", "unfused", "attention_config without flash");
    }
}

void read_precision(PlanKeys& keys)
{
    const bool half = keys.truth({"fp16.enabled", "fp16.fp16"}).value_or(false);
    const auto type = keys.take({"fp16.type", "precision"}).value_or(half ? "fp16" : "");
    const bool brain =
        keys.truth({"bf16.enabled"}).value_or(false) || type.find("bf") != std::string::npos;
    if (half || brain) {
        keys.set("precision", brain ? "bf16" : "fp16", "fp16");
        const auto wide = keys.take({"fp32_allreduce"});
        const bool widens = wide && (*wide == "true" || *wide == "True");
        keys.set("gradient_precision", widens ? "fp32" : brain ? "bf16" : "fp16", "fp32_allreduce");
    }
}

void read_habits(PlanKeys& keys)
{
    if (keys.truth({"checkpoint_activations"}).value_or(false)) {
        keys.set("recompute", "full", "checkpoint_activations");
    }
    if (const auto dropout = keys.take({"hidden_dropout"})) {
        keys.set("dropout", to_real(*dropout).value_or(0) == 0 ? "false" : "true",
                 "hidden_dropout");
    }
    if (const auto bucket = keys.count({"zero_optimization.reduce_bucket_size"})) {
        keys.set("framework.gradient_bucket", std::to_string(2 * *bucket) + " B",
                 "reduce_bucket_size, a number of 2 bytes");
    }
    if (const auto overlap = keys.truth({"zero_optimization.overlap_comm"})) {
        keys.set("framework.overlap_gradients", *overlap ? "true" : "false", "overlap_comm");
    }
    if (const auto type = keys.take({"optimizer.type"})) {
        keys.set("optimizer", *type == "sgd" || *type == "SGD" ? "momentum" : "adam",
                 "optimizer.type");
    }
}

}  // namespace

std::vector<PlanKey> neox_keys(TopologySource& source)
{
    auto keys = yaml_keys(source);
    for (auto& key : keys) {
        std::replace(key.key.begin(), key.key.end(), '-', '_');
    }
    return keys;
}

void read_neox(PlanKeys& keys)
{
    read_degrees(keys);
    read_model(keys);
    read_precision(keys);
    read_habits(keys);
    keys.warn_of({
        {"attention_dropout", "0|0.0", "masks are kept and applied"},
        {"partition_activations", "false", "kept inputs would be cut over the tensor ranks"},
        {"checkpoint_in_cpu", "false", "kept inputs would move to the host"},
        {"zero_optimization.cpu_offload", "false", "the update would run on the host"},
        {"expert_parallel_size", "1", "write parallel.expert"},
        {"moe_num_experts", "1", "write model.num_experts"},
    });
    keys.harmless({"zero_optimization.",
                   "optimizer.",
                   "fp16.",
                   "bf16.",
                   "vocab_file",
                   "merge_file",
                   "save*",
                   "load*",
                   "data_*",
                   "tokenizer*",
                   "init_*",
                   "output_layer_*",
                   "rotary_*",
                   "scaled_*",
                   "bias_*",
                   "rope_*",
                   "layernorm_*",
                   "rms_norm_*",
                   "min_lr",
                   "lr_*",
                   "train_iters",
                   "distributed_*",
                   "warmup",
                   "checkpoint_*",
                   "eval_*",
                   "log_*",
                   "steps_per*",
                   "wall_clock_*",
                   "tensorboard*",
                   "split",
                   "gradient_*",
                   "weight_decay",
                   "synchronize_*",
                   "keep_last_*",
                   "finetune",
                   "override_*",
                   "make_vocab_*",
                   "scheduler.",
                   "num_workers",
                   "use_wandb",
                   "wandb*",
                   "launcher",
                   "deepspeed_*",
                   "seed",
                   "extra_save_*",
                   "hostfile",
                   "master_*",
                   "pos_emb"});
}

}  // namespace sim::formats

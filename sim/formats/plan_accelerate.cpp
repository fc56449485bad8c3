#include <fmt/format.h>

#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

void read_precision(PlanKeys& keys)
{
    const auto word = keys.take({"mixed_precision"});
    if (!word) {
        return;
    }
    keys.set("precision", *word == "no" ? "fp32" : *word, "mixed_precision");
    keys.set("gradient_precision",
             *word == "no"    ? "fp32"
             : *word == "fp8" ? "bf16"
                              : *word,
             "gradients travel as they are computed");
}

void read_degrees(PlanKeys& keys)
{
    keys.copy("parallelism_config.parallelism_config_tp_size", "parallel.tensor");
    const auto context = keys.count({"parallelism_config.parallelism_config_cp_size"});
    if (context.value_or(1) > 1) {
        keys.set("parallel.context", std::to_string(*context), "parallelism_config_cp_size");
    }
    const auto replicate = keys.count({"parallelism_config.parallelism_config_dp_replicate_size"});
    const auto shard = keys.count({"parallelism_config.parallelism_config_dp_shard_size"});
    if (replicate || shard) {
        keys.set("parallel.data", std::to_string(replicate.value_or(1) * shard.value_or(1)),
                 "dp_replicate_size x dp_shard_size");
    }
    if (replicate.value_or(1) > 1 && shard.value_or(1) > 1) {
        keys.set("parallel.zero_group", std::to_string(*shard), "dp_shard_size");
    }
}

const char* stage_of(const std::string& strategy)
{
    if (strategy == "FULL_SHARD" || strategy == "1" || strategy == "HYBRID_SHARD" ||
        strategy == "4") {
        return "3";
    }
    return strategy == "NO_SHARD" || strategy == "3" ? "0" : "2";
}

void read_fsdp(PlanKeys& keys)
{
    const auto strategy = keys.take({"fsdp_config.fsdp_sharding_strategy"});
    const auto reshard = keys.take({"fsdp_config.fsdp_reshard_after_forward"});
    if (strategy) {
        keys.set("parallel.zero", stage_of(*strategy), "fsdp_config.fsdp_sharding_strategy");
        if (strategy->find("HYBRID") == 0) {
            keys.warn("fsdp_config.fsdp_sharding_strategy",
                      "shards inside a node: write parallel.zero_group, the GPUs of a node");
        }
    } else {
        const bool keeps = reshard && (*reshard == "false" || *reshard == "SHARD_GRAD_OP");
        keys.set("parallel.zero", keeps ? "2" : "3", "FSDP, fsdp_reshard_after_forward");
    }
    if (keys.truth({"fsdp_config.fsdp_activation_checkpointing"}).value_or(false)) {
        keys.set("recompute", "full", "fsdp_config.fsdp_activation_checkpointing");
    }
    keys.warn_of({
        {"fsdp_config.fsdp_offload_params", "false|no", "parameters would live on the host"},
    });
    keys.harmless({"fsdp_config."});
}

void read_inline_deepspeed(PlanKeys& keys)
{
    if (const auto file = keys.take({"deepspeed_config.deepspeed_config_file"})) {
        keys.warn("deepspeed_config.deepspeed_config_file",
                  fmt::format("the plan is in {}, which is not read", *file), "import that file");
    }
    keys.copy("deepspeed_config.zero_stage", "parallel.zero");
    keys.plan().accumulation = keys.count({"deepspeed_config.gradient_accumulation_steps"});
    keys.warn_of({
        {"deepspeed_config.offload_optimizer_device", "none", "the update would run on the host"},
        {"deepspeed_config.offload_param_device", "none", "parameters would leave the GPU"},
    });
    keys.harmless({"deepspeed_config."});
}

void read_inline_megatron(PlanKeys& keys)
{
    keys.copy("megatron_lm_config.megatron_lm_tp_degree", "parallel.tensor");
    keys.copy("megatron_lm_config.megatron_lm_pp_degree", "parallel.pipeline");
    keys.plan().accumulation = keys.count({"megatron_lm_config.megatron_lm_num_micro_batches"});
    if (keys.truth({"megatron_lm_config.megatron_lm_sequence_parallelism"}).value_or(false)) {
        keys.set("parallel.sequence_parallel", "true", "megatron_lm_sequence_parallelism");
    }
    if (keys.truth({"megatron_lm_config.megatron_lm_recompute_activations"}).value_or(false)) {
        keys.set("recompute", "selective", "megatron_lm_recompute_activations");
    }
    if (keys.truth({"megatron_lm_config.megatron_lm_use_distributed_optimizer"}).value_or(false)) {
        keys.set("parallel.zero", "1", "megatron_lm_use_distributed_optimizer");
    }
    keys.harmless({"megatron_lm_config.megatron_lm_gradient_clipping"});
}

}  // namespace

void read_accelerate(PlanKeys& keys)
{
    read_precision(keys);
    keys.plan().gpus = keys.count({"num_processes"});
    read_degrees(keys);
    const auto type = keys.take({"distributed_type"}).value_or("NO");
    if (type == "FSDP") {
        read_fsdp(keys);
    } else if (type == "DEEPSPEED") {
        read_inline_deepspeed(keys);
    } else if (type == "MEGATRON_LM") {
        read_inline_megatron(keys);
    } else {
        keys.set("parallel.zero", "0", "distributed_type");
    }
    keys.warn_of({
        {"dynamo_config.dynamo_backend", "no", "a compiler would fuse kernels"},
        {"compute_environment", "local_machine", "the machine is not described"},
        {"use_cpu", "false", "the job would run on the host"},
    });
    keys.harmless({"debug",
                   "downcast_bf16",
                   "enable_cpu_affinity",
                   "fp8_config.",
                   "gpu_ids",
                   "machine_rank",
                   "main_process_*",
                   "main_training_function",
                   "num_machines",
                   "rdzv_*",
                   "same_network",
                   "tpu_*",
                   "commands",
                   "command_file",
                   "fsdp_config",
                   "fsdp_config.",
                   "deepspeed_config",
                   "deepspeed_config.",
                   "megatron_lm_config",
                   "dynamo_config.",
                   "mpirun_config.",
                   "ec2_instance_type",
                   "iam_role_name",
                   "tpu_env"});
}

}  // namespace sim::formats

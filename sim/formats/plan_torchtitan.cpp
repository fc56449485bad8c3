#include <fmt/format.h>

#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

/// Degrees stand in `parallelism`, in older files in `training` and `experimental`.
void read_degrees(PlanKeys& keys)
{
    const auto degree = [&](const char* ours, std::initializer_list<const char*> theirs) {
        const auto value = keys.count(theirs);
        if (value && *value > 0) {
            keys.set(ours, std::to_string(*value), *theirs.begin());
        }
        return value.value_or(1);
    };
    degree("parallel.tensor",
           {"parallelism.tensor_parallel_degree", "training.tensor_parallel_degree"});
    degree("parallel.pipeline",
           {"parallelism.pipeline_parallel_degree", "experimental.pipeline_parallel_degree"});
    degree("parallel.expert", {"parallelism.expert_parallel_degree"});
    degree("parallel.expert_tensor", {"parallelism.expert_tensor_parallel_degree"});
    const auto context =
        keys.count({"parallelism.context_parallel_degree", "experimental.context_parallel_degree"});
    if (context.value_or(1) > 1) {
        keys.set("parallel.context", std::to_string(*context),
                 "parallelism.context_parallel_degree");
        const auto way = keys.take({"parallelism.context_parallel_rotate_method",
                                    "experimental.context_parallel_rotate_method"});
        if (way == "allgather") {
            keys.set("parallel.context_exchange", "all_gather", "context_parallel_rotate_method");
        }
    }
    if (keys.truth({"parallelism.enable_async_tensor_parallel",
                    "experimental.enable_async_tensor_parallel"})
            .value_or(false)) {
        keys.set("framework.tensor_overlap", "pipelined", "enable_async_tensor_parallel");
    }
    if (keys.plan().number("parallel.tensor").value_or(1) > 1) {
        keys.set("parallel.sequence_parallel", "true", "torchtitan cuts norms over tensor ranks");
    }
}

/// FSDP2: parameters are sharded, and again after the forward pass unless told otherwise.
void read_sharding(PlanKeys& keys)
{
    const auto shard =
        keys.count({"parallelism.data_parallel_shard_degree", "training.data_parallel_shard_degree",
                    "training.data_parallel_degree"})
            .value_or(-1);
    const auto replicate = keys.count({"parallelism.data_parallel_replicate_degree",
                                       "training.data_parallel_replicate_degree"})
                               .value_or(1);
    const auto reshard = keys.take({"parallelism.fsdp_reshard_after_forward"}).value_or("default");
    const bool pipeline = keys.plan().number("parallel.pipeline").value_or(1) > 1;
    const bool keeps = reshard == "never" || (reshard == "default" && pipeline);
    keys.set("parallel.data", shard > 0 ? std::to_string(shard * replicate) : "auto",
             "data_parallel_shard_degree x data_parallel_replicate_degree");
    if (shard == 1) {
        return;
    }
    keys.set("parallel.zero", keeps ? "2" : "3",
             fmt::format("FSDP, fsdp_reshard_after_forward: {}", reshard));
    if (replicate > 1 && shard > 0) {
        keys.set("parallel.zero_group", std::to_string(shard),
                 "parallelism.data_parallel_shard_degree");
    }
}

void read_batches(PlanKeys& keys)
{
    const auto pieces = keys.count({"parallelism.pipeline_parallel_microbatch_size"});
    const auto local = keys.count({"training.local_batch_size", "training.batch_size"});
    const auto global = keys.count({"training.global_batch_size"});
    const bool pipeline = keys.plan().number("parallel.pipeline").value_or(1) > 1;
    if (pipeline) {
        const auto piece = pieces.value_or(1);
        keys.set("micro_batch", std::to_string(piece), "pipeline_parallel_microbatch_size");
        if (local && piece > 0) {
            keys.plan().accumulation = *local / piece;
        }
    } else if (local) {
        keys.set("micro_batch", std::to_string(*local), "training.local_batch_size");
        keys.plan().accumulation = 1;
    }
    if (global && *global > 0) {
        keys.set("global_batch", std::to_string(*global), "training.global_batch_size");
        keys.plan().accumulation.reset();
    }
    keys.copy("training.seq_len", "sequence");
}

void read_precision(PlanKeys& keys)
{
    const auto parameters = keys.take({"training.mixed_precision_param"}).value_or("bfloat16");
    const auto reduced = keys.take({"training.mixed_precision_reduce"}).value_or("float32");
    const auto ours = [](const std::string& type) {
        return type == "bfloat16" ? "bf16" : type == "float16" ? "fp16" : "fp32";
    };
    const auto converters = keys.take({"model.converters"}).value_or("");
    const bool narrow = converters.find("float8") != std::string::npos ||
                        keys.truth({"float8.enable_float8_linear"}).value_or(false);
    keys.set("precision", narrow ? "fp8" : ours(parameters),
             narrow ? "float8 linear layers" : "training.mixed_precision_param");
    keys.set("gradient_precision", ours(reduced), "training.mixed_precision_reduce");
}

void read_recompute(PlanKeys& keys)
{
    const auto mode = keys.take({"activation_checkpoint.mode"});
    if (!mode) {
        return;
    }
    keys.set("recompute", *mode, "activation_checkpoint.mode");
    const auto option = keys.take({"activation_checkpoint.selective_ac_option"});
    if (*mode == "selective" && option) {
        keys.warn(
            "activation_checkpoint.selective_ac_option",
            fmt::format("\"{}\": selective here recomputes the core of attention alone", *option));
    }
}

void read_schedule(PlanKeys& keys)
{
    const auto schedule = keys.take(
        {"parallelism.pipeline_parallel_schedule", "experimental.pipeline_parallel_schedule"});
    if (!schedule || keys.plan().number("parallel.pipeline").value_or(1) == 1) {
        return;
    }
    if (*schedule == "GPipe") {
        keys.set("parallel.schedule", "gpipe", "pipeline_parallel_schedule");
    } else if (*schedule != "1F1B") {
        keys.warn("parallelism.pipeline_parallel_schedule",
                  fmt::format("\"{}\" is not taken over; 1F1B is assumed", *schedule),
                  "write parallel.virtual_pipeline for an interleaved one");
    }
}

void warn_of_rest(PlanKeys& keys)
{
    keys.warn_of({
        {"training.enable_cpu_offload", "false", "parameters and the update would leave the GPU"},
        {"quantize.linear.float8.enable_fsdp_float8_all_gather", "false",
         "gathers would carry half the bytes"},
        {"float8.enable_fsdp_float8_all_gather", "false", "gathers would carry half the bytes"},
        {"parallelism.pipeline_parallel_split_points", "[]", "stages would be cut elsewhere"},
        {"parallelism.pipeline_parallel_schedule_csv", "", "the schedule is in another file"},
        {"parallelism.pipeline_parallel_layers_per_stage", "", "stages would hold other layers"},
        {"parallelism.disable_loss_parallel", "false", "logits would be gathered"},
        {"optimizer.early_step_in_backward", "false", "the update would run in the backward pass"},
        {"checkpoint.enable", "false", "checkpoints cost time"},
        {"checkpoint.enable_checkpoint", "false", "checkpoints cost time"},
        {"quantize.grouped_mm.float8.fqns", "[]", "experts would run in fp8"},
    });
}

}  // namespace

void read_torchtitan(PlanKeys& keys)
{
    read_degrees(keys);
    read_sharding(keys);
    read_batches(keys);
    read_precision(keys);
    read_recompute(keys);
    read_schedule(keys);
    warn_of_rest(keys);
    const auto name = keys.take({"model.name"}).value_or("");
    keys.plan().model_words = name + " " + keys.take({"model.flavor"}).value_or("");
    keys.harmless({"job.",
                   "profiling.",
                   "metrics.",
                   "optimizer.",
                   "lr_scheduler.",
                   "checkpoint.",
                   "validation.",
                   "comm.",
                   "compile.",
                   "model.",
                   "training.steps",
                   "training.dataset*",
                   "training.max_norm",
                   "training.warmup_steps",
                   "training.compile",
                   "training.seed",
                   "training.deterministic",
                   "training.debug_moe_force_load_balance",
                   "training.gc_freq",
                   "activation_checkpoint.*",
                   "quantize.",
                   "float8.",
                   "mx.",
                   "fault_tolerance.",
                   "experimental.custom_*",
                   "parallelism.context_parallel_rotate_method",
                   "memory_estimation.",
                   "debug."});
}

}  // namespace sim::formats

#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

void read_batches(PlanKeys& keys)
{
    keys.copy("train_batch_size", "global_batch");
    keys.copy("train_micro_batch_size_per_gpu", "micro_batch");
    keys.plan().accumulation = keys.count({"gradient_accumulation_steps"});
}

void read_precision(PlanKeys& keys)
{
    const auto bf16 = keys.truth({"bf16.enabled", "bfloat16.enabled"});
    const auto fp16 = keys.truth({"fp16.enabled"});
    if (bf16.value_or(false)) {
        keys.set("precision", "bf16", "bf16.enabled");
    } else if (fp16.value_or(false)) {
        keys.set("precision", "fp16", "fp16.enabled");
    } else if (bf16 || fp16) {
        keys.set("precision", "fp32", "neither bf16 nor fp16 is enabled");
    }
    const auto narrow = bf16.value_or(false) ? "bf16" : "fp16";
    const auto type = keys.take({"communication_data_type", "data_types.grad_accum_dtype"});
    if (type) {
        keys.set("gradient_precision", *type, "communication_data_type");
    } else if (bf16.value_or(false) || fp16.value_or(false)) {
        keys.set("gradient_precision", narrow, "gradients travel as they are computed");
    }
}

/// Bucket sizes are numbers of elements; gradients have two bytes.
void read_zero(PlanKeys& keys)
{
    const auto stage = keys.count({"zero_optimization.stage"}).value_or(0);
    keys.set("parallel.zero", std::to_string(stage), "zero_optimization.stage");
    constexpr std::int64_t default_bucket = 500'000'000;
    const auto bucket = keys.count({"zero_optimization.reduce_bucket_size"});
    keys.set("framework.gradient_bucket",
             std::to_string(2 * bucket.value_or(default_bucket)) + " B",
             bucket ? "zero_optimization.reduce_bucket_size, 2 bytes each"
                    : "the default of 5e8 elements");
    const auto overlap = keys.truth({"zero_optimization.overlap_comm"}).value_or(stage == 3);
    keys.set("framework.overlap_gradients", overlap ? "true" : "false",
             "zero_optimization.overlap_comm; by default at stage 3 alone");
    keys.set("framework.overlap_parameters", stage == 3 ? "true" : "false",
             "stage 3 prefetches, the others gather after the update");
    if (const auto group = keys.count({"zero_optimization.zero_hpz_partition_size"});
        group.value_or(1) > 1 && stage == 3) {
        keys.set("parallel.backward_group", std::to_string(*group),
                 "zero_optimization.zero_hpz_partition_size");
    }
    if (const auto ranks = keys.count({"sequence_parallel_size"}); ranks.value_or(1) > 1) {
        keys.set("parallel.context", std::to_string(*ranks), "sequence_parallel_size");
        keys.set("parallel.context_exchange", "all_to_all", "sequence_parallel_size: Ulysses");
    }
}

void warn_of_offload(PlanKeys& keys)
{
    keys.warn_of({
        {"zero_optimization.offload_optimizer.device", "none",
         "the update would run on the host and its state leave the GPU"},
        {"zero_optimization.offload_param.device", "none",
         "parameters would be fetched from there in every pass"},
        {"zero_optimization.cpu_offload", "false", "the update would run on the host"},
        {"zero_optimization.cpu_offload_params", "false", "parameters would leave the GPU"},
        {"zero_optimization.zero_quantized_weights", "false", "gathers would carry half the bytes"},
        {"zero_optimization.zero_quantized_gradients", "false",
         "reductions would carry a quarter of the bytes"},
        {"zero_optimization.zenflow.topk_ratio", "", "part of the update would be delayed"},
        {"activation_checkpointing.cpu_checkpointing", "false",
         "kept activations would move to the host"},
        {"activation_checkpointing.partition_activations", "false",
         "kept activations would be cut over the tensor ranks"},
        {"compression_training", "", "weights or activations would be smaller"},
        {"tensor_parallel.tp_overlap_comm", "false", "tensor collectives would be hidden"},
        {"torch_autocast.enabled", "false", "kernels would run in another precision"},
        {"zero_optimization.use_all_reduce_for_fetch_params", "false",
         "parameters would be fetched by all-reduce"},
        {"zero_optimization.round_robin_gradients", "false", "gradients would travel otherwise"},
        {"pipeline.stages", "1|auto", "the model would be cut into stages"},
        {"flops_profiler.enabled", "false", "the profiler costs time"},
        {"compile.deepcompile", "false", "gathers would be scheduled by a compiler"},
    });
}

void read_optimizer(PlanKeys& keys)
{
    const auto type = keys.take({"optimizer.type"});
    if (!type) {
        return;
    }
    if (type->find("Adam") != std::string::npos || type->find("Lamb") != std::string::npos) {
        keys.set("optimizer", "adam", "optimizer.type: " + *type);
    } else if (*type == "SGD") {
        keys.set("optimizer", "momentum", "optimizer.type: SGD");
    } else {
        keys.warn("optimizer.type", "\"" + *type + "\" is not known; Adam is assumed");
    }
}

}  // namespace

void read_deepspeed(PlanKeys& keys)
{
    read_batches(keys);
    read_precision(keys);
    read_zero(keys);
    read_optimizer(keys);
    keys.copy("tensor_parallel.autotp_size", "parallel.tensor");
    warn_of_offload(keys);
    keys.harmless({"optimizer.",
                   "scheduler.",
                   "fp16.",
                   "bf16.",
                   "amp.",
                   "gradient_clipping",
                   "prescale_gradients",
                   "gradient_predivide_factor",
                   "steps_per_print",
                   "wall_clock_breakdown",
                   "memory_breakdown",
                   "dump_state",
                   "zero_allow_untested_optimizer",
                   "zero_force_ds_cpu_optimizer",
                   "disable_allgather",
                   "tensorboard.",
                   "csv_monitor.",
                   "wandb.",
                   "comms_logger.",
                   "checkpoint.",
                   "data_efficiency.",
                   "curriculum_learning.",
                   "aio.",
                   "flops_profiler.",
                   "zero_optimization.offload_optimizer.",
                   "zero_optimization.offload_param.",
                   "zero_optimization.zenflow.",
                   "zero_optimization.allgather_partitions",
                   "zero_optimization.allgather_bucket_size",
                   "zero_optimization.reduce_scatter",
                   "zero_optimization.contiguous_gradients",
                   "zero_optimization.sub_group_size",
                   "zero_optimization.stage3_*",
                   "zero_optimization.gather_16bit_weights_on_model_save",
                   "zero_optimization.ignore_unused_parameters",
                   "zero_optimization.grad_hooks",
                   "zero_optimization.load_from_fp32_weights",
                   "zero_optimization.elastic_checkpoint",
                   "activation_checkpointing.",
                   "seed"});
}

}  // namespace sim::formats

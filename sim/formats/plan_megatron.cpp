#include <fmt/format.h>

#include <string>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

/// Neither time nor memory of a step changes with these, or another key says how.
constexpr const char* kHarmless[] = {"grad-clip",
                                     "beta1",
                                     "beta2",
                                     "logging-*",
                                     "summary-first-pdrop",
                                     "initializer-range",
                                     "warmup",
                                     "plateau",
                                     "epochs",
                                     "rerun-mode",
                                     "AFTER-SCRIPT",
                                     "BEFORE-SCRIPT",
                                     "adam-*",
                                     "lr*",
                                     "min-lr",
                                     "decoupled-*",
                                     "weight-decay*",
                                     "clip-grad",
                                     "init-method-*",
                                     "train-*",
                                     "eval-*",
                                     "save*",
                                     "load*",
                                     "log-*",
                                     "wandb-*",
                                     "tensorboard-*",
                                     "data-*",
                                     "tokenizer*",
                                     "split",
                                     "num-workers",
                                     "no-mmap-*",
                                     "manual-gc*",
                                     "exit-*",
                                     "async-save",
                                     "use-persistent-ckpt-worker",
                                     "dist-ckpt-*",
                                     "ckpt-*",
                                     "use-dist-ckpt",
                                     "vocab-file",
                                     "merge-file",
                                     "seed",
                                     "distributed-*",
                                     "use-mcore-models",
                                     "use-legacy-models",
                                     "transformer-impl",
                                     "rotary-*",
                                     "no-rope-*",
                                     "apply-layernorm-1p",
                                     "squared-relu",
                                     "attention-softmax-in-fp32",
                                     "attention-backend",
                                     "use-flash-attn",
                                     "no-masked-softmax-fusion",
                                     "no-bias-*",
                                     "no-persist-*",
                                     "use-rotary-*",
                                     "use-rope-scaling",
                                     "make-vocab-size-divisible-by",
                                     "moe-router-*",
                                     "moe-grouped-gemm",
                                     "moe-aux-loss-coeff",
                                     "moe-permute-fusion",
                                     "moe-use-*",
                                     "deterministic-mode",
                                     "no-gradient-accumulation-fusion",
                                     "use-checkpoint-args",
                                     "no-load-*",
                                     "no-save-*",
                                     "loss-scale*",
                                     "initial-loss-scale",
                                     "hysteresis",
                                     "norm-epsilon",
                                     "layernorm-epsilon",
                                     "use-mpi",
                                     "rdzv-*",
                                     "node-rank",
                                     "master-*",
                                     "ENV-VARS*",
                                     "METRICS",
                                     "TEST-TYPE",
                                     "LAUNCHER",
                                     "max-steps",
                                     "max-epochs",
                                     "val-*",
                                     "limit-*",
                                     "checkpoint-*",
                                     "validation-*",
                                     "dataset*",
                                     "resume-*",
                                     "test-*",
                                     "timing-log-level",
                                     "mock-data",
                                     "fp8-*",
                                     "bf16",
                                     "fp16",
                                     "num-query-groups",
                                     "recompute-method",
                                     "container-*",
                                     "output",
                                     "error",
                                     "nodes",
                                     "job-name",
                                     "exclusive",
                                     "nnodes",
                                     "auto-resume",
                                     "use-cpu-*",
                                     "sharp-*",
                                     "disable-*",
                                     "exit-duration-in-mins",
                                     "ntasks*",
                                     "gpus-per-node",
                                     "create-attention-mask-in-dataloader",
                                     "no-create-*",
                                     "te-rng-tracker",
                                     "cross-entropy-loss-fusion",
                                     "cross-entropy-fusion-impl",
                                     "inference-*",
                                     "calculate-per-token-loss",
                                     "ckpt-format",
                                     "enable-experimental"};

void read_context_exchange(PlanKeys& keys)
{
    const auto way = keys.take({"cp-comm-type"}).value_or("p2p");
    if (way == "all_gather") {
        keys.set("parallel.context_exchange", "all_gather", "cp-comm-type");
    } else if (way == "a2a") {
        keys.set("parallel.context_exchange", "all_to_all", "cp-comm-type");
    } else if (way != "p2p") {
        keys.warn("cp-comm-type", fmt::format("\"{}\" is not taken over; p2p is assumed", way),
                  "write parallel.context_exchange");
    }
}

/// Beside the degrees.
void read_options(PlanKeys& keys)
{
    if (keys.truth({"moe-shared-expert-overlap"}).value_or(false)) {
        keys.set("parallel.overlap_shared_experts", "true", "moe-shared-expert-overlap");
    }
    const auto layers = keys.count({"cpu-offloading-num-layers"});
    if (keys.truth({"cpu-offloading"}).value_or(false) && layers) {
        keys.set("activation_offload", std::to_string(*layers), "cpu-offloading-num-layers");
    }
    if (const auto norm = keys.take({"clip-grad"}); norm && to_real(*norm).value_or(1) == 0) {
        keys.set("gradient_clipping", "false", "clip-grad");
    }
}

/// YAML of functional tests has MODEL_ARGS.--key, NeMo's has trainer.strategy.key: what counts is
/// the last part, with hyphens. The reader sees keys so.
void read_degrees(PlanKeys& keys)
{
    keys.copy("tensor-model-parallel-size", "parallel.tensor");
    keys.copy("pipeline-model-parallel-size", "parallel.pipeline");
    keys.copy("expert-model-parallel-size", "parallel.expert");
    keys.copy("expert-tensor-parallel-size", "parallel.expert_tensor");
    if (const auto context = keys.count({"context-parallel-size"}); context.value_or(1) > 1) {
        keys.set("parallel.context", std::to_string(*context), "context-parallel-size");
        read_context_exchange(keys);
    }
    if (keys.truth({"sequence-parallel"}).value_or(false)) {
        keys.set("parallel.sequence_parallel", "true", "sequence-parallel");
    }
    const bool sharded = keys.truth({"use-distributed-optimizer"}).value_or(false);
    keys.set("parallel.zero", sharded ? "1" : "0", "use-distributed-optimizer");
    if (const auto strategy = keys.take({"sharding-strategy"})) {
        keys.set("parallel.zero", *strategy == "full" || *strategy == "hybrid" ? "3" : "0",
                 "sharding-strategy of FSDP");
        if (*strategy == "hybrid") {
            keys.warn("sharding-strategy",
                      "shards inside a node: write parallel.zero_group, the GPUs of a node");
        }
    }
    const auto nodes = keys.count({"num-nodes", "nnodes"});
    const auto each = keys.count({"devices", "nproc-per-node"});
    if (nodes && each) {
        keys.plan().gpus = *nodes * *each;
    }
}

/// --num-layers-per-virtual-pipeline-stage counts layers of a chunk, the other the chunks.
void read_chunks(PlanKeys& keys)
{
    const auto stages = keys.plan().number("parallel.pipeline").value_or(1);
    const auto layers = keys.plan().number("model.num_hidden_layers");
    if (const auto chunks = keys.count(
            {"num-virtual-stages-per-pipeline-rank", "virtual-pipeline-model-parallel-size"})) {
        keys.set("parallel.virtual_pipeline", std::to_string(*chunks),
                 "num-virtual-stages-per-pipeline-rank");
    }
    const auto each = keys.count({"num-layers-per-virtual-pipeline-stage"});
    if (!each || *each < 1 || !layers) {
        return;
    }
    const auto visits = stages * *each;
    if (*layers % visits != 0) {
        keys.warn("num-layers-per-virtual-pipeline-stage",
                  fmt::format("{} stages of chunks of {} layers hold a multiple of {}, not {} "
                              "layers: Megatron would train {} without a word",
                              stages, *each, visits, *layers, *layers / visits * visits),
                  "choose one that divides the layers of a stage");
    }
    keys.set("parallel.virtual_pipeline",
             std::to_string(std::max<std::int64_t>(1, *layers / visits)),
             "num-layers-per-virtual-pipeline-stage");
}

void read_batches(PlanKeys& keys)
{
    keys.copy("micro-batch-size", "micro_batch");
    keys.copy("global-batch-size", "global_batch");
    keys.copy("seq-length", "sequence");
    keys.copy("max-context-width", "sequence");
    if (!keys.written("micro-batch-size")) {
        keys.copy("train-batch-size", "micro_batch");
    }
}

void read_precision(PlanKeys& keys)
{
    if (keys.written("sharding-strategy") && !keys.written("bf16") && !keys.written("fp16")) {
        return;  // FSDP scripts have it in their code
    }
    const auto word = keys.take({"fp8-format", "fp8"});
    const bool fp8 = word && *word != "False" && *word != "false" && *word != "0";
    const bool fp16 = keys.truth({"fp16"}).value_or(false);
    const bool bf16 = keys.truth({"bf16"}).value_or(false);
    keys.set("precision",
             fp8    ? "fp8"
             : bf16 ? "bf16"
             : fp16 ? "fp16"
                    : "fp32",
             "fp8-format, bf16 or fp16");
    const bool wide = keys.truth({"accumulate-allreduce-grads-in-fp32"}).value_or(!fp16);
    const bool narrow = keys.truth({"grad-reduce-in-bf16"}).value_or(false);
    keys.set("gradient_precision",
             narrow ? "bf16"
             : wide ? "fp32"
                    : "fp16",
             narrow ? "grad-reduce-in-bf16" : "fp32 unless fp16 accumulates in its own width");
}

void read_recompute(PlanKeys& keys)
{
    const auto granularity = keys.take({"recompute-granularity"});
    if (granularity) {
        keys.set("recompute", *granularity, "recompute-granularity");
    } else if (keys.truth({"recompute-activations"}).value_or(false)) {
        keys.set("recompute", "selective", "recompute-activations");
    }
    if (keys.truth({"activation-checkpointing"}).value_or(false)) {
        keys.set("recompute", "full", "activation-checkpointing");
    }
    const auto layers = keys.count({"recompute-num-layers"});
    const auto method = keys.take({"recompute-method"});
    if (method == "block" && layers) {
        keys.set("recompute_layers", std::to_string(*layers), "recompute-num-layers");
    }
    if (const auto modules = keys.take({"recompute-modules"}); modules && *modules != "core_attn") {
        keys.warn(
            "recompute-modules",
            fmt::format("\"{}\": selective here recomputes the core of attention alone", *modules));
    }
}

void read_overlap(PlanKeys& keys)
{
    const auto overlap = [&](const char* theirs, const char* ours) {
        keys.set(ours, keys.truth({theirs}).value_or(false) ? "true" : "false", theirs);
    };
    overlap("overlap-grad-reduce", "framework.overlap_gradients");
    overlap("overlap-param-gather", "framework.overlap_parameters");
    if (keys.truth({"tp-comm-overlap"}).value_or(false)) {
        keys.set("framework.tensor_overlap", "pipelined", "tp-comm-overlap");
    }
    if (const auto bucket = keys.count({"ddp-bucket-size"})) {
        const int each = keys.plan().find("gradient_precision") == "fp32" ? 4 : 2;
        keys.set("framework.gradient_bucket", std::to_string(each * *bucket) + " B",
                 "ddp-bucket-size, a number of parameters");
    }
}

void warn_of_rest(PlanKeys& keys)
{
    keys.warn_of({
        {"offload-activations", "0|false", "activations would move to the host"},
        {"optimizer-cpu-offload", "false", "the update would run on the host"},
        {"use-torch-fsdp2", "false", "parameters would be sharded: write parallel.zero: 3"},
        {"use-megatron-fsdp", "false", "parameters would be sharded: write parallel.zero: 3"},
        {"num-distributed-optimizer-instances", "1", "the optimiser would be sharded in groups"},
        {"defer-embedding-wgrad-compute", "false", "a gradient would run in the bubble"},
        {"attention-dropout", "0|0.0", "masks are kept and applied"},
        {"standalone-embedding-stage", "false", "the embedding would be a stage of its own"},
        {"decoder-first-pipeline-num-layers", "", "write parallel.layers_per_stage"},
        {"decoder-last-pipeline-num-layers", "", "write parallel.layers_per_stage"},
        {"pipeline-model-parallel-layout", "", "write parallel.layers_per_stage"},
        {"step-batch-size-schedule", "", "the batch grows over training: give --global-batch"},
        {"rampup-batch-size", "", "the batch grows over training"},
        {"window-size", "", "attention would look back no further"},
        {"mtp-num-layers", "0", "further tokens would be predicted"},
        {"enable-cuda-graph", "false", "kernels would be launched in one graph"},
        {"main-grads-dtype", "fp32", "gradients would be kept in another width"},
        {"exp-avg-dtype", "fp32", "moments would be kept in another width"},
        {"exp-avg-sq-dtype", "fp32", "moments would be kept in another width"},
        {"resid-pdrop", "0|0.0|0.", "masks are kept and applied"},
        {"embd-pdrop", "0|0.0|0.", "masks are kept and applied"},
        {"attn-pdrop", "0|0.0|0.", "masks are kept and applied"},
    });
}

void read_optimizer(PlanKeys& keys)
{
    if (const auto name = keys.take({"optimizer"})) {
        keys.set("optimizer", *name == "sgd" ? "momentum" : "adam", "optimizer: " + *name);
    }
}

/// The kernels are there when it is asked for; Megatron's own default of 0.1 is not assumed.
void read_dropout(PlanKeys& keys)
{
    const auto dropout = keys.take({"hidden-dropout"});
    if (dropout) {
        const bool none = to_real(*dropout).value_or(0) == 0;
        keys.set("dropout", none ? "false" : "true", "hidden-dropout");
    }
}

/// Embedding and output projection take the place of a layer each.
void read_ends(PlanKeys& keys)
{
    const bool embedding = keys.truth({"account-for-embedding-in-pipeline-split"}).value_or(false);
    const bool loss = keys.truth({"account-for-loss-in-pipeline-split"}).value_or(false);
    if (embedding || loss) {
        keys.set("parallel.ends_as_layers",
                 !loss        ? "embedding"
                 : !embedding ? "head"
                              : "true",
                 "account-for-*-in-pipeline-split");
    }
}

}  // namespace

void read_megatron(PlanKeys& keys)
{
    read_degrees(keys);
    read_megatron_model(keys);
    read_chunks(keys);
    read_batches(keys);
    read_precision(keys);
    read_recompute(keys);
    read_overlap(keys);
    read_optimizer(keys);
    read_dropout(keys);
    read_ends(keys);
    read_options(keys);
    warn_of_rest(keys);
    keys.harmless(kHarmless);
}

}  // namespace sim::formats

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/plan.hpp"

namespace sim::formats
{
namespace
{

using ::testing::HasSubstr;

std::string of(const ImportedPlan& plan, const char* key) { return plan.find(key).value_or("-"); }

std::string warnings(const ImportedPlan& plan)
{
    std::string text;
    for (const auto& warning : plan.warnings) {
        text += warning.message + "\n";
    }
    return text;
}

/// What is wrong, as the user reads it.
std::string complaint(const ImportedPlan& plan, const PlanAnswers& answers)
{
    try {
        (void)write_plan(plan, answers, "file");
    } catch (const InputError& error) {
        return render(error.diagnostics());
    }
    return {};
}

PlanAnswers complete()
{
    PlanAnswers answers;
    answers.model = "config.json";
    answers.framework = "framework.yaml";
    answers.sequence = 4096;
    answers.global_batch = 512;
    answers.micro_batch = 1;
    answers.precision = "bf16";
    return answers;
}

TEST(ImportDeepSpeed, StageThreeWithBatchesAndBf16)
{
    const auto plan = parse_plan("ds.json", R"({
  "train_micro_batch_size_per_gpu": 2,
  "gradient_accumulation_steps": 4,
  "train_batch_size": "auto",
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "reduce_bucket_size": 2e8, "stage3_prefetch_bucket_size": 5e7},
  "optimizer": {"type": "AdamW", "params": {"lr": "auto"}},
  "gradient_clipping": 1.0
})",
                                 "");
    EXPECT_EQ(of(plan, "micro_batch"), "2");
    EXPECT_EQ(of(plan, "global_batch"), "-");
    EXPECT_EQ(of(plan, "precision"), "bf16");
    EXPECT_EQ(of(plan, "gradient_precision"), "bf16");
    EXPECT_EQ(of(plan, "parallel.zero"), "3");
    // 2e8 elements of two bytes.
    EXPECT_EQ(of(plan, "framework.gradient_bucket"), "400000000 B");
    // overlap_comm is on by default at stage 3 alone.
    EXPECT_EQ(of(plan, "framework.overlap_gradients"), "true");
    EXPECT_EQ(of(plan, "optimizer"), "adam");
    EXPECT_EQ(warnings(plan), "");
}

TEST(ImportDeepSpeed, TheBatchFollowsFromTheNumberOfGpus)
{
    const auto plan = parse_plan("ds.json", R"({"train_micro_batch_size_per_gpu": 2,
        "gradient_accumulation_steps": 4, "zero_optimization": {"stage": 1}})",
                                 "");
    auto answers = complete();
    answers.micro_batch.reset();
    answers.global_batch.reset();
    EXPECT_THAT(complaint(plan, answers), HasSubstr("write --global-batch 512, or --gpus 64"));
    answers.gpus = 16;
    // 2 sequences x 4 accumulated x 16 replicas.
    EXPECT_THAT(write_plan(plan, answers, "ds.json"), HasSubstr("  global_batch: 128  # 2 x 4"));
}

TEST(ImportDeepSpeed, OffloadAndUnknownKeysAreToldWithTheirLine)
{
    const auto plan = parse_plan("ds.json", R"({
  "zero_optimization": {
    "stage": 2,
    "cpu_offload": true,
    "offload_optimizer": {"device": "nvme", "nvme_path": "/local", "pin_memory": true}
  },
  "zero_bandwith": 3
})",
                                 "");
    EXPECT_THAT(warnings(plan), HasSubstr("zero_optimization.cpu_offload: \"true\" is not taken"));
    EXPECT_THAT(warnings(plan), HasSubstr("offload_optimizer.device: \"nvme\" is not taken over: "
                                          "the update would run on the host"));
    EXPECT_THAT(warnings(plan), HasSubstr("zero_bandwith: not known here"));
    EXPECT_EQ(plan.warnings.back().line, 7);
}

TEST(ImportDeepSpeed, ATemplateIsRefused)
{
    try {
        (void)parse_plan("ds.json", R"({"zero_optimization": {"stage": ${zero_stage}}})", "");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(render(error.diagnostics()),
                    HasSubstr("${zero_stage} is a placeholder: the file is a template"));
    }
}

// The 15B release of Megatron-LM's functional tests, d98e8a64: 48 heads over 8 groups.
constexpr const char* kMegatron = R"(ENV_VARS:
  CUDA_DEVICE_MAX_CONNECTIONS: 1
MODEL_ARGS:
  --tensor-model-parallel-size: 8
  --pipeline-model-parallel-size: 1
  --use-distributed-optimizer: true
  --overlap-grad-reduce: true
  --overlap-param-gather: true
  --sequence-parallel: true
  --disable-bias-linear: true
  --micro-batch-size: 4
  --step-batch-size-schedule: "0:384 200B:768"
  --untie-embeddings-and-output-weights: true
  --position-embedding-type: rope
  --squared-relu: true
  --num-layers: 32
  --hidden-size: 6144
  --num-attention-heads: 48
  --group-query-attention: true
  --num-query-groups: 8
  --seq-length: 4096
  --max-position-embeddings: 4096
  --hidden-dropout: 0.0
  --bf16: true
)";

TEST(ImportMegatron, AYamlOfArgumentsDescribesPlanAndModel)
{
    const auto plan = parse_plan("m.yaml", kMegatron, "");
    EXPECT_EQ(of(plan, "parallel.tensor"), "8");
    EXPECT_EQ(of(plan, "parallel.zero"), "1");
    EXPECT_EQ(of(plan, "parallel.sequence_parallel"), "true");
    EXPECT_EQ(of(plan, "sequence"), "4096");
    EXPECT_EQ(of(plan, "precision"), "bf16");
    // bf16 forces fp32 gradients unless --grad-reduce-in-bf16.
    EXPECT_EQ(of(plan, "gradient_precision"), "fp32");
    EXPECT_EQ(of(plan, "model.num_key_value_heads"), "8");
    // Without --ffn-hidden-size and a gate: 4 x 6144.
    EXPECT_EQ(of(plan, "model.intermediate_size"), "24576");
    EXPECT_EQ(of(plan, "model.attention_bias"), "false");
    EXPECT_EQ(of(plan, "model.learned_positions"), "-");
    EXPECT_THAT(warnings(plan), HasSubstr("step-batch-size-schedule"));
    EXPECT_THAT(warnings(plan), HasSubstr("the batch grows over training: give --global-batch"));
}

TEST(ImportMegatron, WhatATokenizerKnowsIsAskedFor)
{
    PlanAnswers answers;
    answers.framework = "framework.yaml";
    answers.global_batch = 384;
    const auto plan = parse_plan("m.yaml", kMegatron, "");
    EXPECT_THAT(complaint(plan, answers), HasSubstr("write --vocab 50257"));
    answers.vocab = 256000;
    const auto text = write_plan(plan, answers, "m.yaml");
    EXPECT_THAT(text, HasSubstr("    hidden_size: 6144  # hidden-size\n"));
    EXPECT_THAT(text, HasSubstr("    vocab_size: 256000  # --vocab\n"));
    EXPECT_THAT(text, HasSubstr("    tensor: 8  # tensor-model-parallel-size\n"));
}

TEST(ImportMegatron, FlagsOfAShellScriptWithVariables)
{
    const auto plan = parse_plan("run.sh", R"(#!/bin/bash
GPT_ARGS="
    --num-layers 24 \
    --hidden-size 1024 --num-attention-heads=16 \
    --seq-length 1024 # tokens
    --max-position-embeddings 1024 --micro-batch-size 4 --global-batch-size 16 \
    --swiglu --fp16 --lr 0.00015 --vocab-size 50304
"
torchrun --nproc_per_node $GPUS_PER_NODE pretrain_gpt.py $GPT_ARGS --tensor-model-parallel-size 2
)",
                                 "");
    EXPECT_EQ(of(plan, "parallel.tensor"), "2");
    EXPECT_EQ(of(plan, "model.num_hidden_layers"), "24");
    EXPECT_EQ(of(plan, "model.learned_positions"), "1024");
    EXPECT_EQ(of(plan, "model.tie_word_embeddings"), "true");
    // With a gate, two thirds of 4 x 1024 in multiples of 64: 2730 -> 2688.
    EXPECT_EQ(of(plan, "model.intermediate_size"), "2688");
    // fp16 accumulates in its own width.
    EXPECT_EQ(of(plan, "gradient_precision"), "fp16");
    EXPECT_EQ(warnings(plan), "");
}

/// Megatron-LM issues 468, 1304 and 1778: 80 layers over 16 stages of 2 chunks train 64.
TEST(ImportMegatron, LayersThatDoNotDivideAreRefusedWithWhatWould)
{
    auto plan = parse_plan("m.sh", R"(--num-layers 80 --hidden-size 8192
        --num-attention-heads 64 --pipeline-model-parallel-size 16
        --num-virtual-stages-per-pipeline-rank 2 --bf16 --seq-length 4096 --micro-batch-size 1
        --vocab-size 32000 --global-batch-size 512)",
                           "");
    PlanAnswers answers;
    answers.framework = "framework.yaml";
    EXPECT_THAT(complaint(plan, answers),
                HasSubstr("16 stages x 2 chunks do not divide the 80 layers; 64 of them would be "
                          "trained"));
    EXPECT_THAT(complaint(plan, answers),
                HasSubstr("their product may be one of 1, 2, 4, 5, 8, 10, 16, 20, 40, 80"));
    plan.set("parallel.pipeline", "8", "");
    // 8 stages x 2 chunks of 5 layers: the second chunk of stage 0 starts at layer 40.
    EXPECT_THAT(write_plan(plan, answers, "m.sh"), HasSubstr("#   stage 0: 0-4 40-44\n"));
}

TEST(ImportTorchtitan, FsdpAndTensorRanksOfTheLlama405bFile)
{
    const auto plan = parse_plan("t.toml", R"([model]
name = "llama3"
flavor = "405B"
converters = ["float8"]

[training]
local_batch_size = 2
seq_len = 8192
steps = 3_000

[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = -1
tensor_parallel_degree = 8
enable_async_tensor_parallel = true

[activation_checkpoint]
mode = "full"
)",
                                 "");
    EXPECT_EQ(of(plan, "parallel.tensor"), "8");
    EXPECT_EQ(of(plan, "parallel.sequence_parallel"), "true");
    EXPECT_EQ(of(plan, "parallel.data"), "auto");
    EXPECT_EQ(of(plan, "parallel.zero"), "3");
    EXPECT_EQ(of(plan, "micro_batch"), "2");
    EXPECT_EQ(of(plan, "sequence"), "8192");
    EXPECT_EQ(of(plan, "precision"), "fp8");
    EXPECT_EQ(of(plan, "gradient_precision"), "fp32");
    EXPECT_EQ(of(plan, "recompute"), "full");
    EXPECT_EQ(of(plan, "framework.tensor_overlap"), "pipelined");
    PlanAnswers answers;
    answers.gpus = 128;
    EXPECT_THAT(complaint(plan, answers), HasSubstr("it calls the model llama3 405B"));
    answers = complete();
    answers.global_batch.reset();
    answers.micro_batch.reset();
    answers.gpus = 128;
    // 2 sequences on each of 128 / 8 replicas.
    EXPECT_THAT(write_plan(plan, answers, "t.toml"), HasSubstr("global_batch: 32"));
}

TEST(ImportTorchtitan, AMistakeOfTomlIsToldWithItsLine)
{
    try {
        (void)parse_plan("t.toml", "[training]\nseq_len = \n", "torchtitan");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(render(error.diagnostics()), HasSubstr("t.toml:2:"));
    }
}

TEST(ImportAccelerate, HybridShardingOverTwoByTwoByTwo)
{
    const auto plan = parse_plan("a.yaml",
                                 "distributed_type: FSDP\r\n"
                                 "fsdp_config:\r\n"
                                 "  fsdp_activation_checkpointing: true\r\n"
                                 "  fsdp_reshard_after_forward: true\r\n"
                                 "  fsdp_version: 2\r\n"
                                 "mixed_precision: bf16\r\n"
                                 "num_processes: 8\r\n"
                                 "parallelism_config:\r\n"
                                 "  parallelism_config_dp_replicate_size: 2\r\n"
                                 "  parallelism_config_dp_shard_size: 2\r\n"
                                 "  parallelism_config_tp_size: 2\r\n",
                                 "");
    EXPECT_EQ(of(plan, "parallel.tensor"), "2");
    EXPECT_EQ(of(plan, "parallel.data"), "4");
    EXPECT_EQ(of(plan, "parallel.zero"), "3");
    EXPECT_EQ(of(plan, "parallel.zero_group"), "2");
    EXPECT_EQ(of(plan, "recompute"), "full");
    EXPECT_EQ(plan.gpus, 8);
    EXPECT_EQ(warnings(plan), "");
}

TEST(ImportAccelerate, AFileThatNamesAnotherSaysSo)
{
    const auto plan = parse_plan("a.yaml",
                                 "distributed_type: DEEPSPEED\n"
                                 "deepspeed_config:\n"
                                 "  deepspeed_config_file: zero_stage1_config.json\n"
                                 "num_processes: 2\n"
                                 "invalid_key: 1\n",
                                 "");
    EXPECT_THAT(warnings(plan), HasSubstr("the plan is in zero_stage1_config.json, which is not"));
    EXPECT_THAT(warnings(plan), HasSubstr("invalid_key: not known here"));
}

TEST(ImportPlan, AFileOfNoKnownFormat)
{
    try {
        (void)parse_plan("x.txt", "hello\n", "");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(render(error.diagnostics()),
                    HasSubstr("name it: --kind deepspeed, megatron, megatron-yaml, torchtitan, "
                              "accelerate"));
    }
}

}  // namespace
}  // namespace sim::formats

// Files of llm-foundry, GPT-NeoX, MaxText and NeMo, cut to what counts. Shapes are those of the
// published models that the files are of.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/plan.hpp"

namespace sim::formats
{
namespace
{

using ::testing::HasSubstr;

std::string of(const ImportedPlan& plan, const char* key) { return plan.find(key).value_or("-"); }

PlanAnswers complete()
{
    PlanAnswers answers;
    answers.framework = "framework.yaml";
    answers.sequence = 2048;
    answers.micro_batch = 1;
    answers.precision = "bf16";
    answers.vocab = 50432;
    return answers;
}

// mosaicml/llm-foundry, scripts/train/yamls/pretrain/mpt-7b.yaml.
constexpr const char* kMpt = R"(
variables:
  max_seq_len: 2048
max_seq_len: ${variables.max_seq_len}
model:
  name: mpt_causal_lm
  d_model: 4096
  n_heads: 32
  n_layers: 32
  expansion_ratio: 4
  max_seq_len: ${variables.max_seq_len}
  vocab_size: 50368
  attn_config:
    attn_impl: flash
optimizer:
  name: decoupled_adamw
algorithms:
  gradient_clipping:
    clipping_type: norm
global_train_batch_size: 1024
device_train_microbatch_size: 8
precision: amp_bf16
fsdp_config:
  sharding_strategy: FULL_SHARD
  mixed_precision: PURE
  activation_checkpointing: true
  activation_cpu_offload: false
  limit_all_gathers: true
)";

TEST(ImportLlmFoundry, AnMptIsDescribedByItsOwnKeys)
{
    const auto plan = parse_plan("mpt-7b.yaml", kMpt, "");
    EXPECT_EQ(plan.format, "llm-foundry YAML");
    EXPECT_EQ(of(plan, "model.model_type"), "mpt");
    EXPECT_EQ(of(plan, "model.hidden_size"), "4096");
    EXPECT_EQ(of(plan, "model.intermediate_size"), "16384");
    EXPECT_EQ(of(plan, "model.attention_bias"), "true");
    EXPECT_EQ(of(plan, "sequence"), "2048");
    EXPECT_EQ(of(plan, "global_batch"), "1024");
    EXPECT_EQ(of(plan, "micro_batch"), "8");
    EXPECT_EQ(of(plan, "precision"), "bf16");
    EXPECT_EQ(of(plan, "gradient_precision"), "bf16");
    EXPECT_EQ(of(plan, "parallel.zero"), "3");
    EXPECT_EQ(of(plan, "recompute"), "full");
    EXPECT_EQ(of(plan, "gradient_clipping"), "true");
    EXPECT_TRUE(plan.warnings.empty());
}

TEST(ImportLlmFoundry, OffloadedActivationsAreThoseOfAllLayers)
{
    auto text = std::string{kMpt};
    text.replace(text.find("offload: false"), 14, "offload: true");
    EXPECT_EQ(of(parse_plan("mpt.yaml", text, ""), "activation_offload"), "32");
}

TEST(ImportLlmFoundry, AModelOfHuggingFaceIsAskedFor)
{
    const auto plan = parse_plan("llama.yaml", R"(
max_seq_len: 2048
model:
  name: hf_causal_lm
  pretrained_model_name_or_path: meta-llama/Meta-Llama-3.1-8B
global_train_batch_size: 8
device_train_microbatch_size: 1
precision: amp_bf16
)",
                                 "");
    EXPECT_EQ(plan.model_words, "meta-llama/Meta-Llama-3.1-8B");
    EXPECT_EQ(of(plan, "parallel.zero"), "0");
    EXPECT_EQ(of(plan, "gradient_clipping"), "false");
}

// EleutherAI/gpt-neox, configs/20B.yml.
constexpr const char* kNeox = R"(# of 96 GPUs
{
  "pipe_parallel_size": 4,
  "model_parallel_size": 2,
  "num_layers": 44,
  "hidden_size": 6144,
  "num_attention_heads": 64,
  "seq_length": 2048,
  "max_position_embeddings": 2048,
  "norm": "layernorm",
  "pos_emb": "rotary",
  "no_weight_tying": true,
  "gpt_j_residual": true,
  "optimizer": {
    "type": "Adam",
    "params": { "lr": 0.97e-4, "betas": [0.9, 0.95], }
  },
  "zero_optimization": {
    "stage": 1,
    "overlap_comm": True,
    "reduce_bucket_size": 1260000000,
  },
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 32,
  "checkpoint-activations": true,
  "hidden_dropout": 0,
  "fp16": { "fp16": true, "enabled": true, },
}
)";

TEST(ImportNeox, TheFileOfTwentyBillionParameters)
{
    const auto plan = parse_plan("20B.yml", kNeox, "");
    EXPECT_EQ(plan.format, "GPT-NeoX YAML");
    EXPECT_EQ(of(plan, "parallel.pipeline"), "4");
    EXPECT_EQ(of(plan, "parallel.tensor"), "2");
    EXPECT_EQ(of(plan, "parallel.zero"), "1");
    EXPECT_EQ(of(plan, "model.intermediate_size"), "24576");
    EXPECT_EQ(of(plan, "model.parallel"), "true");
    EXPECT_EQ(of(plan, "model.tie_word_embeddings"), "false");
    EXPECT_EQ(of(plan, "model.learned_positions"), "-");
    EXPECT_EQ(of(plan, "precision"), "fp16");
    EXPECT_EQ(of(plan, "recompute"), "full");
    EXPECT_EQ(of(plan, "framework.attention"), "unfused");
    EXPECT_EQ(of(plan, "framework.gradient_bucket"), "2520000000 B");

    auto answers = complete();
    answers.micro_batch.reset();
    answers.precision = "";
    answers.gpus = 96;
    const auto text = write_plan(plan, answers, "20B.yml");
    // 4 x 32 x 96 / 8.
    EXPECT_THAT(text, HasSubstr("global_batch: 1536"));
    EXPECT_THAT(text, HasSubstr("# 96 ranks = tensor 2 x context 1 x data 12 x pipeline 4\n"));
    EXPECT_THAT(text, HasSubstr("#   stage 3: 33-43\n"));
}

TEST(ImportNeox, AGatedMlpIsAThirdOfTheWidthWritten)
{
    // configs/llama2/70B.yml: three matrices of 28,672 are written as 86,016.
    const auto plan = parse_plan("70B.yml", R"({
  "pipe_parallel_size": 1, "model_parallel_size": 1, "num_layers": 80, "hidden_size": 8192,
  "intermediate_size": 86016, "num_attention_heads": 64, "num_kv_heads": 8, "norm": "rmsnorm",
  "pos_emb": "rotary", "attention_config": [[["flash"], 80]], "activation": "swiglu",
  "use_bias_in_attn_linear": false, "mlp_multiple_of": 256, "no_weight_tying": true
})",
                                 "");
    EXPECT_EQ(of(plan, "model.intermediate_size"), "28672");
    EXPECT_EQ(of(plan, "model.num_key_value_heads"), "8");
    EXPECT_EQ(of(plan, "model.layer_norm"), "false");
    EXPECT_EQ(of(plan, "framework.attention"), "-");
}

TEST(ImportMaxText, ABlockNamesTheFamily)
{
    // google/maxtext, configs/models/gemma2-27b.yml: one block is a window layer and a full one.
    const auto plan = parse_plan("gemma2-27b.yml", R"(
base_emb_dim: 4608
base_num_query_heads: 32
base_num_kv_heads: 16
base_mlp_dim: 36864
base_num_decoder_layers: 23
head_dim: 128
mlp_activations: ["gelu","linear"]
vocab_size: 256128
decoder_block: "gemma2"
logits_via_embedding: true
sliding_window_size: 4096
ici_tensor_parallelism: 4
dcn_tensor_parallelism: 2
ici_fsdp_parallelism: -1
per_device_batch_size: 2
max_target_length: 8192
dtype: bfloat16
remat_policy: full
)",
                                 "");
    EXPECT_EQ(of(plan, "model.model_type"), "gemma2");
    EXPECT_EQ(of(plan, "model.num_hidden_layers"), "46");
    EXPECT_EQ(of(plan, "model.tie_word_embeddings"), "true");
    EXPECT_EQ(of(plan, "parallel.tensor"), "8");
    EXPECT_EQ(of(plan, "parallel.zero"), "3");
    EXPECT_EQ(of(plan, "sequence"), "8192");
    EXPECT_EQ(of(plan, "recompute"), "full");
    EXPECT_EQ(of(plan, "gradient_precision"), "bf16");
    EXPECT_TRUE(plan.warnings.empty());
}

TEST(ImportNemo, ItsOwnWordsAreMegatrons)
{
    // NVIDIA/NeMo, examples/nlp/language_modeling/conf/megatron_llama_config.yaml.
    const auto plan = parse_plan("llama.yaml", R"(
trainer:
  devices: 8
  num_nodes: 4
  precision: bf16
model:
  micro_batch_size: 4
  global_batch_size: 128
  tensor_model_parallel_size: 2
  encoder_seq_length: 4096
  max_position_embeddings: ${.encoder_seq_length}
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 11008
  num_attention_heads: 32
  num_query_groups: 8
  normalization: rmsnorm
  bias: False
  activation: fast-swiglu
  position_embedding_type: rope
  share_embeddings_and_output_weights: False
  activations_checkpoint_granularity: full
  activations_checkpoint_method: block
  activations_checkpoint_num_layers: 4
  fp8: False
  fp8_hybrid: True
  data:
    seq_length: ${model.encoder_seq_length}
  optim:
    name: distributed_fused_adam
)",
                                 "");
    EXPECT_EQ(of(plan, "sequence"), "4096");
    EXPECT_EQ(plan.gpus, 32);
    EXPECT_EQ(of(plan, "precision"), "bf16");
    EXPECT_EQ(of(plan, "model.gated_mlp"), "true");
    EXPECT_EQ(of(plan, "model.layer_norm"), "false");
    EXPECT_EQ(of(plan, "model.attention_bias"), "false");
    EXPECT_EQ(of(plan, "model.tie_word_embeddings"), "false");
    EXPECT_EQ(of(plan, "model.num_key_value_heads"), "8");
    EXPECT_EQ(of(plan, "parallel.zero"), "1");
    EXPECT_EQ(of(plan, "recompute"), "full");
    EXPECT_EQ(of(plan, "recompute_layers"), "4");
    EXPECT_TRUE(plan.warnings.empty()) << plan.warnings.front().message;
}

TEST(ImportMegatron, OptionsBesideTheDegrees)
{
    const auto plan = parse_plan("train.sh",
                                 "--num-layers 32 --context-parallel-size 4 --cp-comm-type a2a "
                                 "--moe-shared-expert-overlap --cpu-offloading "
                                 "--cpu-offloading-num-layers 8 --clip-grad 0.0 --bf16",
                                 "megatron");
    EXPECT_EQ(of(plan, "parallel.context_exchange"), "all_to_all");
    EXPECT_EQ(of(plan, "parallel.overlap_shared_experts"), "true");
    EXPECT_EQ(of(plan, "activation_offload"), "8");
    EXPECT_EQ(of(plan, "gradient_clipping"), "false");
}

TEST(ImportMegatron, OneEndMayTakeALayersPlace)
{
    const std::string model =
        "--num-layers 31 --hidden-size 1024 --num-attention-heads 16 --vocab-size 32000 "
        "--pipeline-model-parallel-size 4 --bf16 ";
    auto answers = complete();
    answers.vocab.reset();
    answers.gpus = 4;
    EXPECT_THROW((void)write_plan(parse_plan("a.sh", model, "megatron"), answers, "a.sh"),
                 InputError);
    const auto plan =
        parse_plan("a.sh", model + "--account-for-loss-in-pipeline-split", "megatron");
    EXPECT_THAT(write_plan(plan, answers, "a.sh"), HasSubstr("ends_as_layers: head"));
}

TEST(ImportDeepSpeed, ASecondCopyAndSequencesOverRanks)
{
    const auto plan = parse_plan("ds.json", R"({
  "train_micro_batch_size_per_gpu": 1,
  "sequence_parallel_size": 4,
  "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 8}
})",
                                 "");
    EXPECT_EQ(of(plan, "parallel.backward_group"), "8");
    EXPECT_EQ(of(plan, "parallel.zero_group"), "-");
    EXPECT_EQ(of(plan, "parallel.context"), "4");
    EXPECT_EQ(of(plan, "parallel.context_exchange"), "all_to_all");
}

TEST(ImportPlan, AReferenceToItselfStaysOpen)
{
    const auto plan = parse_plan("loop.yaml", R"(
max_seq_len: ${max_seq_len}
global_train_batch_size: ${other}
other: ${global_train_batch_size}
device_train_microbatch_size: 1
)",
                                 "llm-foundry");
    EXPECT_EQ(of(plan, "sequence"), "-");
    EXPECT_EQ(of(plan, "global_batch"), "-");
}

}  // namespace
}  // namespace sim::formats

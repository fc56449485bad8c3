#include "config/fixture.hpp"

#include <gmock/gmock.h>

namespace sim::config
{
namespace
{

/// Mistakes that only a whole experiment shows, told at the line that made them.
class BadValue : public InFolder
{
protected:
    BadValue() { write_good(); }
};

TEST_F(BadValue, TensorParallelismThatDoesNotDivideTheHeads)
{
    write_run_with("tensor: 2", "tensor: 3, data: 1");
    const auto words = complaint("run.yaml");
    EXPECT_NE(
        words.find(
            R"(run.yaml:10:23: error: workload.parallel.tensor: 3 does not divide the 16 attention heads
   10 |   parallel: { tensor: 3, data: 1 }
      |                       ^
      = write one of 1, 2, 4, 8, 16
)"),
        std::string::npos)
        << words;
}

TEST_F(BadValue, PipelineStagesThatDoNotDivideTheLayers)
{
    write_run_with("tensor: 2", "tensor: 1, pipeline: 8");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:10:36: error: workload.parallel.pipeline: 8 does not divide the 12 layers
   10 |   parallel: { tensor: 1, pipeline: 8 }
      |                                    ^
      = write one of 1, 2, 3, 4, 6, 12, or layers_per_stage: [2, 2, 2, 2, 1, 1, 1, 1]
)");
}

TEST_F(BadValue, RanksThatAreNotThoseOfTheCluster)
{
    write_run_with("tensor: 2", "tensor: 2, data: 8");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(run.yaml:10:32: error: workload.parallel.data: tensor 2 x pipeline 1 x data 8 = 16 ranks, but the cluster has 8
   10 |   parallel: { tensor: 2, data: 8 }
      |                                ^
      = write data: 4
)");
}

TEST_F(BadValue, AutomaticDataParallelismThatHasNoRemainder)
{
    write_run_with("tensor: 2", "tensor: 1, pipeline: 3, data: auto");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(run.yaml:10:45: error: workload.parallel.data: auto fails: 8 ranks are not a multiple of tensor 1 x pipeline 3 = 3
   10 |   parallel: { tensor: 1, pipeline: 3, data: auto }
      |                                             ^
      = choose tensor and pipeline whose product divides 8
)");
}

TEST_F(BadValue, AnOverrideIsToldAsItWasGiven)
{
    EXPECT_EQ(complaint("run.yaml", {{"cluster.nic.bandwith", "1 GB/s"}}),
              R"(--set cluster.nic.bandwith=1 GB/s: error: cluster.nic.bandwith: unknown key
      = did you mean "bandwidth"?
)");
    EXPECT_EQ(complaint("run.yaml", {{"cluster..nic", "1"}}),
              R"(--set cluster..nic=1: error: the key is not a dotted path
      = write --set cluster.nodes=16
)");
}

TEST_F(BadValue, ANumberOutOfRangeOfAnOverrideIsToldThere)
{
    EXPECT_EQ(
        complaint("run.yaml", {{"cluster.nic.bandwidth", "0"}}),
        R"(--set cluster.nic.bandwidth=0: error: cluster.nic.bandwidth: is 0 B/s, but must be above 0
      = write a value such as 400 Gbps
)");
}

TEST_F(BadValue, AnUnknownModelType)
{
    write("model.json", "{\n  \"model_type\": \"mamba\"\n}\n");
    EXPECT_EQ(complaint("run.yaml"), R"(model.json:2:3: error: model_type: "mamba" is not modelled
    2 |   "model_type": "mamba"
      |   ^
      = known are dbrx, deepseek_v2, deepseek_v3, gemma, gemma2, gemma3, gemma3_text, gpt2, gpt_neox, gpt_oss, internlm, llama, llama4, llama4_text, mistral, mixtral, mpt, nemotron, phi, phi3, phimoe, qwen2, qwen2_moe, qwen3, qwen3_moe, qwen3_next; or describe the model by hand: model: { hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads, head_dim, intermediate_size, vocab_size, and what differs from Llama, as sim/config/README.md lists: gated_mlp, layer_norm, norm_bias, attention_bias, mlp_bias, qk_norm, learned_positions, tie_word_embeddings, num_experts, num_experts_per_tok, moe_intermediate_size, ... }
)");
}

TEST_F(BadValue, AMixtureThatDoesNotSayHowManyExperts)
{
    write("model.json", R"({
  "model_type": "mixtral",
  "hidden_size": 1024,
  "intermediate_size": 4096,
  "num_attention_heads": 16,
  "num_hidden_layers": 12,
  "vocab_size": 32000
})");
    EXPECT_EQ(complaint("run.yaml"), R"(model.json: error: num_experts: missing
      = a config.json has "num_experts": a number
)");
}

TEST_F(BadValue, AModelDescribedByHandWithAMisspeltKey)
{
    write_run_with("model: model.json",
                   "model: { hidden_size: 1024, intermediate_size: 4096, num_attention_heads: 16, "
                   "num_hidden_layers: 12, vocab_size: 32000, gated_mpl: false }");
    EXPECT_THAT(complaint("run.yaml"), testing::HasSubstr("error: gated_mpl: unknown key\n"));
    EXPECT_THAT(complaint("run.yaml"), testing::HasSubstr("did you mean \"gated_mlp\"?"));
}

TEST_F(BadValue, AModelFileThatIsNotJson)
{
    write("model.json", "{\n  \"hidden_size\": 1024,,\n}\n");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(model.json:2:23: error: not JSON: syntax error while parsing object key - unexpected ','; expected string literal
    2 |   "hidden_size": 1024,,
      |                       ^
)");
}

TEST_F(BadValue, AModelFileWithoutItsKeys)
{
    write("model.json", R"({
  "model_type": "llama",
  "hidden_size": "1024",
  "num_attention_heads": 16,
  "num_hidden_layers": 12,
  "vocab_size": 32000
})");
    EXPECT_EQ(complaint("run.yaml"), R"(model.json: error: intermediate_size: missing
      = a config.json has "intermediate_size": a number
model.json:3:3: error: hidden_size: must be a whole number up to 2147483647, not "1024"
    3 |   "hidden_size": "1024",
      |   ^
)");
}

TEST_F(BadValue, AModelWhoseNumbersDoNotFitIsToldInItsOwnFile)
{
    write("model.json", R"({
  "model_type": "llama",
  "hidden_size": 1024,
  "intermediate_size": 4096,
  "num_attention_heads": 16,
  "num_key_value_heads": 5,
  "num_hidden_layers": 12,
  "vocab_size": 32000
})");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(model.json:6:3: error: workload.model.num_key_value_heads: 5 does not divide the 16 attention heads
    6 |   "num_key_value_heads": 5,
      |   ^
      = every key-value head serves equally many query heads
)");
}

}  // namespace
}  // namespace sim::config

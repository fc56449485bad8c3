#include <gmock/gmock.h>

#include "config/fixture.hpp"
#include "workload/parameters.hpp"

namespace sim::config
{
namespace
{

using testing::HasSubstr;

class ModelDescription : public InFolder
{
protected:
    ModelDescription() { write_good(); }
};

TEST_F(ModelDescription, AModelIsDescribedInPlaceByTheKeysOfConfigJson)
{
    // GPT-3 XL of arXiv:2005.14165, table 2.1: 24 layers, width 2048, 24 heads of 128 (not 2048 /
    // 24), 2048 positions, biases, a vocabulary of 50257.
    write_run_with("model: model.json",
                   "model: { name: gpt3-xl, hidden_size: 2048, num_hidden_layers: 24, "
                   "num_attention_heads: 24, head_dim: 128, intermediate_size: 8192, vocab_size: "
                   "50257, gated_mlp: false, layer_norm: true, norm_bias: true, attention_bias: "
                   "true, mlp_bias: true, learned_positions: 2048, tie_word_embeddings: true }");
    const auto model = load_experiment("run.yaml", {}).spec.workload.model;
    EXPECT_EQ(model.name, "gpt3-xl");
    // A layer: 4 x 2048 x 3072 and 3 x 3072 + 2048 biases; 8 x 2048^2 and 5 x 2048; two norms of
    // 2 x 2048. Then 50257 + 2048 rows and the last norm.
    const std::int64_t layer =
        4LL * 2048 * 3072 + 3 * 3072 + 2048 + 8LL * 2048 * 2048 + 5 * 2048 + 4 * 2048;
    EXPECT_EQ(workload::total_parameters(model), 24 * layer + 52305LL * 2048 + 2 * 2048);
}

TEST_F(ModelDescription, AConfigJsonIsTheStartAndKeysThatDifferFollow)
{
    write_run_with("model: model.json",
                   "model: { extends: model.json, num_hidden_layers: 6, num_local_experts: 8, "
                   "num_experts_per_tok: 2, moe_intermediate_size: 2048 }");
    write_run_with("parallel: { tensor: 2 }", "parallel: { tensor: 2, sequence_parallel: true }");
    const auto model = load_experiment("run.yaml", {}).spec.workload.model;
    EXPECT_EQ(model.layers, 6);
    EXPECT_EQ(model.hidden, 1024);
    ASSERT_TRUE(model.experts);
    EXPECT_EQ(model.experts->count, 8);
    EXPECT_EQ(model.experts->ffn, 2048);
}

TEST_F(ModelDescription, ExpertsPlansAndOptimisersHaveTheirKeys)
{
    write_run_with("model: model.json",
                   "model: { extends: model.json, num_local_experts: 8, num_experts_per_tok: 2, "
                   "moe_intermediate_size: 2048 }");
    write_run_with("parallel: { tensor: 2 }",
                   "parallel: { expert: 4, expert_dispatch: all_gather, expert_imbalance: 1.25 }");
    const auto workload =
        load_experiment("run.yaml", {{"workload.optimizer", "adam_8bit"}}).spec.workload;
    EXPECT_EQ(workload.plan.expert, 4);
    EXPECT_EQ(workload.plan.expert_dispatch, spec::Dispatch::all_gather);
    EXPECT_DOUBLE_EQ(workload.plan.expert_imbalance, 1.25);
    // A master copy of 4 bytes, 2 of moments, two scales of 4 a block of 2048: 6.00390625. The
    // traffic of 40 falls by twice what is not kept of 12.
    EXPECT_DOUBLE_EQ(workload.framework.optimizer_state_bytes, 6.00390625);
    EXPECT_DOUBLE_EQ(workload.framework.optimizer_bytes_per_parameter, 40 - 2 * (12 - 6.00390625));
}

TEST_F(ModelDescription, AWrongKeyOfTheDescriptionIsToldAtItsPlace)
{
    write_run_with("model: model.json", "model: { extends: model.json, num_key_value_heads: 5 }");
    EXPECT_THAT(complaint("run.yaml"),
                HasSubstr("run.yaml:4:33: error: workload.model.num_key_value_heads: 5 does not "
                          "divide the 16 attention heads"));
}

}  // namespace
}  // namespace sim::config

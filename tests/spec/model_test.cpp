#include "spec/model.hpp"

#include <gtest/gtest.h>

#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

TEST(ValidateModel, ARightOneHasNothingToSay)
{
    EXPECT_EQ(told(validate(example_workload().model, "")), "");
}

TEST(ValidateModel, NumbersAreNamedAsInConfigJson)
{
    EXPECT_EQ(told(validate(ModelSpec{}, "")),
              "error: hidden_size: is 0, but must be at least 1\n"
              "error: num_hidden_layers: is 0, but must be at least 1\n"
              "error: num_attention_heads: is 0, but must be at least 1\n"
              "error: num_key_value_heads: is 0, but must be at least 1\n"
              "error: head_dim: is 0, but must be at least 1\n"
              "error: intermediate_size: is 0, but must be at least 1\n"
              "error: vocab_size: is 0, but must be at least 1");
}

TEST(ValidateModel, KeyValueHeadsServeEquallyManyQueryHeads)
{
    auto model = example_workload().model;
    model.kv_heads = 12;
    EXPECT_EQ(told(validate(model, "m")),
              "error: m.num_key_value_heads: 12 does not divide the 64 attention heads | every "
              "key-value head serves equally many query heads");
}

}  // namespace
}  // namespace sim::spec

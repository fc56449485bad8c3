#include "workload/parameters.hpp"

#include <gtest/gtest.h>

#include "workload/models.hpp"

namespace sim::workload
{

using namespace testing;

// A layer has query and output projections of h * a*d each, keys and values of h * g*d each, three
// MLP matrices of h * f and two norms of h; with v words, input and output embeddings of v * h each
// and a last norm of h:
//     N = L (2 h a d + 2 h g d + 3 h f + 2 h) + 2 v h + h.
// The totals below are those the models' publishers state.

TEST(Parameters, Llama2OfSevenBillionHasThePublishedCount)
{
    // L (67,108,864 + 135,266,304 + 8,192) = 32 * 202,383,360; 2 v h = 262,144,000; h = 4,096.
    EXPECT_EQ(layer_parameters(llama2_7b(), {}), 202'383'360);
    EXPECT_EQ(total_parameters(llama2_7b()), 6'738'415'616);
}

TEST(Parameters, Llama2OfThirteenBillionHasThePublishedCount)
{
    EXPECT_EQ(total_parameters(llama2_13b()), 13'015'864'320);
}

TEST(Parameters, Llama2OfSeventyBillionHasThePublishedCount)
{
    EXPECT_EQ(total_parameters(llama2_70b()), 68'976'648'192);
}

TEST(Parameters, Llama3OfEightBillionHasThePublishedCount)
{
    EXPECT_EQ(total_parameters(llama3_8b()), 8'030'261'248);
}

TEST(Parameters, Llama3OfSeventyBillionHasThePublishedCount)
{
    EXPECT_EQ(total_parameters(llama3_70b()), 70'553'706'496);
}

TEST(Parameters, TyingTheEmbeddingsSavesOneOfThem)
{
    auto tied = llama3_8b();
    tied.tied_embeddings = true;
    EXPECT_EQ(head_parameters(tied), 0);
    EXPECT_EQ(total_parameters(llama3_8b()) - total_parameters(tied), 128'256 * 4'096);
}

TEST(Parameters, BiasesAddOneNumberPerOutputOfTheirMatrix)
{
    auto biased = llama2_7b();
    biased.qkv_bias = true;
    biased.projection_bias = true;
    biased.mlp_bias = true;
    // Query, key, value and output: 4 * 4096; gate, up and down: 2 * 11008 + 4096.
    EXPECT_EQ(layer_parameters(biased, {}) - layer_parameters(llama2_7b(), {}), 16'384 + 26'112);
}

TEST(Parameters, AnMlpWithoutGateHasTwoMatrices)
{
    auto plain = llama2_7b();
    plain.gated_mlp = false;
    EXPECT_EQ(layer_parameters(llama2_7b(), {}) - layer_parameters(plain, {}), 4'096 * 11'008);
}

}  // namespace sim::workload

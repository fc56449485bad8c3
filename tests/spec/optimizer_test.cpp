#include "spec/optimizer.hpp"

#include <gtest/gtest.h>

namespace sim::spec
{
namespace
{

TEST(Optimizers, KeepTheirMoments)
{
    EXPECT_EQ(moment_bytes(Optimizer::adam), 4 + 4);  // two in fp32
    // Two bytes and an fp32 scale of each for 2,048 of them (arXiv:2110.02861).
    EXPECT_EQ(moment_bytes(Optimizer::adam_8bit), 2 + 8.0 / 2048);
    EXPECT_EQ(moment_bytes(Optimizer::momentum), 4);
    EXPECT_EQ(moment_bytes(Optimizer::sgd), 0);
    EXPECT_EQ(moment_bytes(Optimizer::adafactor), 0);
}

TEST(Optimizers, AMasterCopyIsOfWeightsNarrowerThanIt)
{
    for (const auto narrow : {Precision::bf16, Precision::fp16, Precision::fp8, Precision::fp4}) {
        EXPECT_EQ(master_bytes(narrow), 4) << precision_name(narrow);
    }
    EXPECT_EQ(master_bytes(Precision::fp32), 0);
    EXPECT_EQ(master_bytes(Precision::tf32), 0) << "stored as fp32";
}

}  // namespace
}  // namespace sim::spec

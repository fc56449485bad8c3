#include "workload/zero_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "workload/models.hpp"

namespace sim::workload
{
namespace
{

/// GiB to two digits, as the estimator prints them.
double shown(Bytes bytes)
{
    return std::round(static_cast<double>(bytes.base()) / 1073741824 * 100) / 100;
}

/// T5-3B of DeepSpeed's documentation (pull requests 965 and 1536): 2,851,598,336 parameters, its
/// largest layer the embedding of 32,128 x 1,024; one node of eight GPUs.
const ZeroSetting kPublished{2'851'598'336, 32'899'072, 8, 1};

struct Row {
    int stage;
    bool optimizer, parameters, sharded;
    double host, gpu;
};

// host GiB, GPU GiB as published, and for stage 3 without offload by the same formulas: 18 P / 8
// and 4 layers; 1.5 x 4 x 8 x layer or x P.
constexpr Row kRows[] = {
    {2, true, false, false, 127.48, 5.31}, {2, false, false, false, 127.48, 15.93},
    {3, true, true, true, 71.71, 0.12},    {3, true, true, false, 127.48, 0.12},
    {3, true, false, true, 63.74, 0.79},   {3, true, false, false, 127.48, 0.79},
    {3, false, false, true, 1.47, 6.1},    {3, false, false, false, 127.48, 6.1},
};

TEST(ZeroMemory, U33DeepSpeedsPublishedTableComesOutToTheDigit)
{
    const auto estimates = zero_estimates(kPublished);
    ASSERT_EQ(estimates.size(), std::size(kRows));
    for (std::size_t row = 0; row < estimates.size(); ++row) {
        EXPECT_EQ(estimates[row].stage, kRows[row].stage) << row;
        EXPECT_EQ(estimates[row].offloads_optimizer, kRows[row].optimizer) << row;
        EXPECT_EQ(estimates[row].offloads_parameters, kRows[row].parameters) << row;
        EXPECT_EQ(estimates[row].builds_sharded, kRows[row].sharded) << row;
        EXPECT_DOUBLE_EQ(shown(estimates[row].host), kRows[row].host) << row;
        EXPECT_DOUBLE_EQ(shown(estimates[row].gpu), kRows[row].gpu) << row;
    }
}

TEST(ZeroMemory, TheLargestModuleIsTheEmbeddingOrAMatrix)
{
    EXPECT_EQ(largest_module(testing::llama3_8b()), 128'256LL * 4096);
    EXPECT_EQ(largest_module(testing::llama2_70b()), 32'000LL * 8192);
}

}  // namespace
}  // namespace sim::workload

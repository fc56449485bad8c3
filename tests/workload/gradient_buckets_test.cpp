#include "workload/gradient_buckets.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sim::workload
{
namespace
{

using Sizes = std::vector<std::int64_t>;

TEST(GradientBuckets, WholeTensorsFillABucketUntilItHasTheWantedSize)
{
    // Two bytes each, 20 bytes wanted: 4 + 6 = 10 parameters close the first; 12 alone the second.
    const auto plan = plan_buckets({{4, 6}, {12}, {3}}, Bytes::of(20), 2);
    EXPECT_EQ(plan.parameters, (Sizes{10, 12, 3}));
    EXPECT_EQ(plan.first_of_block, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(GradientBuckets, ABlockMayStartInTheBucketOfTheBlockBefore)
{
    const auto plan = plan_buckets({{4}, {8, 8}, {1}}, Bytes::of(10), 1);
    EXPECT_EQ(plan.parameters, (Sizes{12, 9}));
    EXPECT_EQ(plan.first_of_block, (std::vector<std::size_t>{0, 0, 1}));
}

TEST(GradientBuckets, ABlockWithoutGradientsNeedsNoBucketOfItsOwn)
{
    const auto plan = plan_buckets({{0, 0}, {5}}, Bytes::of(1), 1);
    EXPECT_EQ(plan.parameters, (Sizes{5}));
}

}  // namespace
}  // namespace sim::workload

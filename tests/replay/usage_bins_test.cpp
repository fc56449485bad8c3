#include "replay/usage_bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace sim::replay
{
namespace
{

TEST(UsageBins, HaveTheMeanAndTheHighestOfEachBin)
{
    UsageBins bins{1, 1};
    bins.add(0.75, {0.4});
    bins.add(0.25, {1});
    bins.add(0.5, {0.2});
    ASSERT_EQ(bins.size(), 2);
    EXPECT_DOUBLE_EQ(bins.means(0)[0], 0.75 * 0.4 + 0.25);
    EXPECT_DOUBLE_EQ(bins.peaks(0)[0], 1);
    EXPECT_DOUBLE_EQ(bins.means(0)[1], 0.2);  // of the half that is covered
}

TEST(UsageBins, GrowWithoutLosingTimeOrAPeak)
{
    // 10,000 s at a bin of 1 s: 256 bins of 64 s hold 16,384 s.
    UsageBins bins{1, 1};
    for (int second = 0; second < 10'000; ++second) {
        bins.add(1, {second == 5'000 ? 1.0 : 0.25});
    }
    EXPECT_DOUBLE_EQ(bins.width(), 64);
    EXPECT_EQ(bins.size(), 157);  // 10,000 / 64 = 156.25
    const auto means = bins.means(0);
    const double whole =
        64 * std::accumulate(means.begin(), means.end() - 1, 0.0) + 16 * means[156];
    EXPECT_NEAR(whole, 0.25 * 9'999 + 1, 1e-9);
    const auto peaks = bins.peaks(0);
    EXPECT_DOUBLE_EQ(peaks[5'000 / 64], 1);
    EXPECT_EQ(std::count(peaks.begin(), peaks.end(), 1.0), 1);
}

TEST(UsageBins, AStretchMayCoverManyBins)
{
    UsageBins bins{0.5, 2};
    bins.add(3, {0.5, 0});
    EXPECT_EQ(bins.size(), 6);
    EXPECT_DOUBLE_EQ(bins.means(0)[5], 0.5);
    EXPECT_DOUBLE_EQ(bins.means(1)[5], 0);
}

}  // namespace
}  // namespace sim::replay

#include "replay/fullest_bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sim::replay
{
namespace
{

using workload::MemoryContent;

MemoryLevels levels(double activations, double temporary = 0)
{
    MemoryLevels all{};
    all[static_cast<std::size_t>(MemoryContent::activations)] = activations;
    all[static_cast<std::size_t>(MemoryContent::temporary)] = temporary;
    return all;
}

TEST(FullestBins, HaveWhatBelongsTogetherAtTheFullestInstant)
{
    FullestBins bins{1};
    bins.add(0.5, levels(3, 1), 4);
    bins.add(0.25, levels(1, 4), 5);
    bins.add(0.5, levels(2, 0), 2);
    ASSERT_EQ(bins.size(), 2);
    // Not the highest of each: 3 and 4 never lay there together.
    EXPECT_EQ(bins.level(MemoryContent::activations), (std::vector<double>{1, 2}));
    EXPECT_EQ(bins.level(MemoryContent::temporary), (std::vector<double>{4, 0}));
}

TEST(FullestBins, AnInstantWithoutLengthIsNotHeld)
{
    FullestBins bins{1};
    bins.add(0, levels(9), 9);
    bins.add(1, levels(2), 2);
    EXPECT_EQ(bins.level(MemoryContent::activations), std::vector<double>{2});
}

TEST(FullestBins, KeepThePeakWhenEveryTwoBecomeOne)
{
    // 10,000 s at a bin of 1 s: 256 bins of 64 s hold 16,384 s.
    FullestBins bins{1};
    for (int second = 0; second < 10'000; ++second) {
        const double level = second == 5'000 ? 7 : 1;
        bins.add(1, levels(level), level);
    }
    EXPECT_DOUBLE_EQ(bins.width(), 64);
    ASSERT_EQ(bins.size(), 157);  // 10,000 / 64 = 156.25
    const auto all = bins.level(MemoryContent::activations);
    EXPECT_EQ(all[5'000 / 64], 7);
    EXPECT_EQ(std::count(all.begin(), all.end(), 1.0), 156);
}

}  // namespace
}  // namespace sim::replay

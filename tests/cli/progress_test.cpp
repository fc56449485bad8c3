#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace sim::cli
{
namespace
{

TEST(ProgressBar, TellsRateAndTimeLeft)
{
    // 12 in 4 s are 3 a second; 28 more take 9.33 s, told as 10. 24 marks x 12 / 40 = 7.
    EXPECT_EQ(bar_text("points", 12, 40, 4),
              "[#######                 ] 12 of 40 points, 3/s, 10 s left");
}

TEST(ProgressBar, TellsLongTimesInMinutesAndHours)
{
    // 1 in 60 s: 9 more take 9 min, 199 more 3 h 19 min.
    EXPECT_EQ(bar_text("points", 1, 10, 60),
              "[##                      ] 1 of 10 points, 0.017/s, 9 min left");
    EXPECT_EQ(bar_text("points", 1, 200, 60),
              "[                        ] 1 of 200 points, 0.017/s, 3 h 19 min left");
}

TEST(ProgressBar, PromisesNothingBeforeTheFirstIsDone)
{
    EXPECT_EQ(bar_text("points", 0, 4, 2), "[                        ] 0 of 4 points");
}

TEST(ProgressBar, FitsALine) { EXPECT_LE(bar_text("simulations", 99999, 100000, 1e6).size(), 100); }

}  // namespace
}  // namespace sim::cli

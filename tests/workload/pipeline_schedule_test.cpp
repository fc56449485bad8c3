#include "workload/pipeline_schedule.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sim::workload
{
namespace
{

/// "F0 F1 B0": the visits as one writes them by hand.
std::string text(const StageSchedule& schedule)
{
    std::string result;
    for (const auto& visit : schedule) {
        result += visit.pass == Pass::forward ? " F" : " B";
        result += std::to_string(visit.micro_batch);
    }
    return result.empty() ? result : result.substr(1);
}

// Four stages, eight micro-batches: stage i has p - 1 - i = 3, 2, 1, 0 forwards of warm-up.

TEST(PipelineSchedule, TheFirstOfFourStagesWarmsUpWithThreeForwards)
{
    EXPECT_EQ(text(one_forward_one_backward(4, 0, 8)),
              "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
}

TEST(PipelineSchedule, TheSecondOfFourStagesWarmsUpWithTwo)
{
    EXPECT_EQ(text(one_forward_one_backward(4, 1, 8)),
              "F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 F6 B4 F7 B5 B6 B7");
}

TEST(PipelineSchedule, TheThirdOfFourStagesWarmsUpWithOne)
{
    EXPECT_EQ(text(one_forward_one_backward(4, 2, 8)),
              "F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 F6 B5 F7 B6 B7");
}

TEST(PipelineSchedule, TheLastStageAlternatesFromTheStart)
{
    EXPECT_EQ(text(one_forward_one_backward(4, 3, 8)),
              "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
}

TEST(PipelineSchedule, FewerMicroBatchesThanStagesAreAllWarmUp)
{
    EXPECT_EQ(text(one_forward_one_backward(4, 0, 2)), "F0 F1 B0 B1");
}

TEST(PipelineSchedule, AStageHoldsAsManyMicroBatchesAsStagesFollowItAndItself)
{
    // min(m, p - i).
    for (int stage = 0; stage < 4; ++stage) {
        EXPECT_EQ(in_flight(one_forward_one_backward(4, stage, 8)), 4 - stage);
    }
    EXPECT_EQ(in_flight(one_forward_one_backward(4, 0, 2)), 2);
}

}  // namespace
}  // namespace sim::workload

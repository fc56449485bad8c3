#include "workload/pipeline_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
        result += visit.pass == Pass::forward ? " F" : visit.pass == Pass::backward ? " B" : " W";
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

/// The chunk before the micro-batch: "F0.1" is chunk 0, micro-batch 1.
std::string text_with_chunks(const StageSchedule& schedule)
{
    std::string result;
    for (const auto& visit : schedule) {
        result += visit.pass == Pass::forward ? " F" : visit.pass == Pass::backward ? " B" : " W";
        result += std::to_string(visit.chunk) + "." + std::to_string(visit.micro_batch);
    }
    return result.empty() ? result : result.substr(1);
}

// Two stages of two chunks: the last one runs 2 * 0 + 1 * 2 forwards ahead, the first 2 * 1 + 2.

TEST(PipelineSchedule, TheLastStageInterleavesFromItsSecondChunk)
{
    EXPECT_EQ(text_with_chunks(interleaved({2, 2, 4}, 1)),
              "F0.0 F0.1 F1.0 B1.0 F1.1 B1.1 F0.2 B0.0 F0.3 B0.1 F1.2 B1.2 F1.3 B1.3 B0.2 B0.3");
}

TEST(PipelineSchedule, TheFirstStageRunsARoundOfEveryChunkAhead)
{
    EXPECT_EQ(text_with_chunks(interleaved({2, 2, 4}, 0)),
              "F0.0 F0.1 F1.0 F1.1 F0.2 B1.0 F0.3 B1.1 F1.2 B0.0 F1.3 B0.1 B1.2 B1.3 B0.2 B0.3");
}

TEST(PipelineSchedule, InterleavingOneChunkStillVisitsEverythingOnce)
{
    // A last round of fewer micro-batches than stages: 5 of them, 3 stages, 2 chunks.
    for (int stage = 0; stage < 3; ++stage) {
        const auto schedule = interleaved({3, 2, 5}, stage);
        EXPECT_EQ(schedule.size(), 2U * 2 * 5);
        EXPECT_EQ(in_flight(schedule), std::min(10, 2 * (2 - stage) + 3 + 1));
    }
}

TEST(PipelineSchedule, GPipeRunsEveryForwardBeforeTheFirstBackward)
{
    EXPECT_EQ(text(all_forward_all_backward(3)), "F0 F1 F2 B0 B1 B2");
    EXPECT_EQ(in_flight(all_forward_all_backward(3)), 3);
}

// ZB-H1 as drawn by Qi et al. (arXiv:2401.10241, figure 3): the first stage runs each weight
// gradient at once, the last one puts off three.

TEST(PipelineSchedule, WithoutBubblesTheFirstStagePutsNothingOff)
{
    EXPECT_EQ(text(zero_bubble(4, 0, 6)), "F0 F1 F2 F3 B0 W0 F4 B1 W1 F5 B2 W2 B3 W3 B4 W4 B5 W5");
}

TEST(PipelineSchedule, WithoutBubblesTheLastStagePutsOffAsManyAsStagesComeBeforeIt)
{
    EXPECT_EQ(text(zero_bubble(4, 3, 6)), "F0 B0 F1 B1 F2 B2 F3 B3 W0 F4 B4 W1 F5 B5 W2 W3 W4 W5");
}

TEST(PipelineSchedule, WithoutBubblesEveryStageHoldsAsManyMicroBatchesAsTheFirst)
{
    for (const int stages : {2, 4, 8}) {
        for (int stage = 0; stage < stages; ++stage) {
            EXPECT_EQ(in_flight(zero_bubble(stages, stage, 16)), stages);
        }
    }
    EXPECT_EQ(in_flight(zero_bubble(8, 7, 3)), 3);
}

}  // namespace
}  // namespace sim::workload

#include <gtest/gtest.h>

#include <cmath>

#include "workload/instant_machine.hpp"
#include "workload/layer_operations.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

/// Eight experts over four ranks, two a token.
spec::WorkloadSpec spread_experts()
{
    auto workload = small_pipeline(1, 4);
    workload.model.experts = spec::ExpertsSpec{.count = 8, .per_token = 2, .ffn = 512};
    workload.plan.data = 4;
    workload.plan.expert = 4;
    return workload;
}

double host_seconds(const TaskGraph&, const Kernel& kernel)
{
    return kernel.recorded_seconds.value_or(0);
}

TEST(ExpertTravel, ATokenIsSentToEachOfItsExpertsUnlessRanksShareACopy)
{
    auto workload = spread_experts();
    EXPECT_EQ(shard(workload).experts.copies, 128 * 2);
    // Four ranks of two experts: the second choice is one of 7, of which 1 is on the rank of the
    // first, so a token reaches 2 - 1/7 ranks.
    workload.framework.copies_per = 1;
    EXPECT_EQ(shard(workload).experts.copies, std::llround(128 * (2 - 1.0 / 7)));
    // Two nodes of two ranks: 3 of the 7 are on the node of the first.
    workload.framework.copies_per = 2;
    EXPECT_EQ(shard(workload).experts.copies, std::llround(128 * (2 - 3.0 / 7)));
    workload.framework.copies_per = 4;
    EXPECT_EQ(shard(workload).experts.copies, 128);
}

TEST(ExpertTravel, HiddenExchangesStartALayerAndHoldUpItsLastPart)
{
    auto workload = spread_experts();
    workload.framework.hidden_exchanges = true;
    const auto kind = spec::layer_kind(workload.model, 0);
    const auto recipe = layer_forward(shard(workload), kind, false);
    const auto& items = recipe.items();
    EXPECT_EQ(items[0].label, "dispatch");
    EXPECT_EQ(items[1].label, "combine");
    for (const auto& item : items) {
        EXPECT_EQ(item.after, item.label == "unpermute" ? 1 : kNothing) << item.label;
    }
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, host_seconds};
    EXPECT_TRUE(machine.run());
}

TEST(ExpertTravel, TheHostTakesMoreForExpertsForEachOfThemAndForSums)
{
    // One micro-batch on each rank; embedding, two layers and head, each way: 8 x 10 s; layers of
    // experts 4 x (5 + 2 held x 3) s.
    auto workload = spread_experts();
    workload.framework.issue_forward = Time::of(10);
    workload.framework.issue_backward = Time::of(10);
    workload.framework.issue_experts = Time::of(5);
    workload.framework.issue_each_expert = Time::of(3);
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, host_seconds};
    ASSERT_TRUE(machine.run());
    EXPECT_EQ(machine.end_of_step(0, 0), 8 * 10 + 4 * (5 + 2 * 3));
}

TEST(ExpertTravel, TheHostTakesMoreForCollectivesOfTheTensorGroup)
{
    auto workload = small_pipeline(1, 1);
    workload.plan.tensor = 2;
    workload.framework.issue_forward = Time::of(10);
    workload.framework.issue_backward = Time::of(10);
    workload.framework.issue_collective = Time::of(1);
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, host_seconds};
    ASSERT_TRUE(machine.run());
    // Two sums a layer each way, one of the embedding, three of the loss, one of the head's
    // gradient.
    EXPECT_EQ(machine.end_of_step(0, 0), 8 * 10 + 2 * (2 + 2) + 1 + 3 + 1);
}

TEST(ExpertTravel, ChunksMayHoldUnequalNumbersOfLayers)
{
    auto workload = small_pipeline(2, 4);
    workload.model.layers = 5;
    workload.plan.chunks = 2;
    workload.plan.layers_per_stage = {2, 2, 1, 0};
    EXPECT_TRUE(spec::lists_chunks(workload.plan));
    EXPECT_TRUE(spec::validate(workload, 2, "").empty());
    const auto parts = stages(workload);
    EXPECT_EQ(parts[0].layers, 3);
    EXPECT_EQ(parts[1].layers, 2);
    EXPECT_EQ(parts[0].chunks[0].size(), 2U);
    EXPECT_EQ(parts[0].chunks[1].size(), 1U);
    EXPECT_EQ(parts[1].chunks[0].size(), 2U);
    EXPECT_TRUE(parts[1].chunks[1].empty());
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, host_seconds};
    EXPECT_TRUE(machine.run());
    workload.plan.layers_per_stage = {2, 2, 2, -1};
    EXPECT_FALSE(spec::validate(workload, 2, "").empty());
}

TEST(ExpertTravel, AnOddVocabularyIsReadElementByElement)
{
    auto workload = small_pipeline(1, 1);
    const auto head = [&](std::int64_t words) {
        workload.model.vocab = words;
        const auto recipe = head_forward(shard(workload));
        for (const auto& item : recipe.items()) {
            if (item.label == "head") {
                return item.operation.unaligned;
            }
        }
        return false;
    };
    // Rows of 2-byte numbers begin at multiples of 16 bytes when there are eight of them.
    EXPECT_FALSE(head(1024));
    EXPECT_FALSE(head(1032));
    EXPECT_TRUE(head(1025));
    EXPECT_TRUE(head(1028));
}

}  // namespace
}  // namespace sim::workload

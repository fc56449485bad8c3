#include "workload/generation.hpp"

#include <gtest/gtest.h>

#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

/// Two layers of 256 columns and two heads of 128, two sequences of six tokens after two.
spec::WorkloadSpec generating()
{
    auto workload = small_pipeline(1, 2);
    workload.micro_batch = 2;
    workload.sequence = 8;
    workload.prompt = 2;
    return workload;
}

std::int64_t sum(const std::vector<std::int64_t>& parts)
{
    std::int64_t all = 0;
    for (const auto part : parts) {
        all += part;
    }
    return all;
}

TEST(Generation, CountsTheTokensItGenerates)
{
    const auto graph = training_step(generating());
    EXPECT_EQ(graph.tokens, 2 * 6);
}

TEST(Generation, EveryPassReadsTheWeightsThatAreAway)
{
    auto workload = generating();
    workload.offload.emplace();
    workload.offload->weights = {spec::DataTier::dram, 1, std::nullopt};
    workload.offload->buffers.size = Bytes::of(1 << 20);
    const auto graph = training_step(workload);
    const auto all = parameters_of(stages(workload)[0], shard(workload)).shared;
    // The prompts' pass makes the first of six tokens.
    EXPECT_EQ(sum(bytes_moved(graph, "weight fetch")), 6 * 2 * all);
}

TEST(Generation, TheCacheGrowsByATokenAPassAndComesBackWhole)
{
    auto workload = generating();
    workload.offload.emplace();
    workload.offload->cache = {spec::DataTier::dram, 0.5, std::nullopt};
    workload.offload->buffers.size = Bytes::of(1 << 20);
    const auto graph = training_step(workload);
    // Keys and values of two heads of 128 in two bytes, two sequences, half of them away.
    const std::int64_t token = 2 * 2 * 128 * 2 * 2 / 2;
    const auto left = bytes_moved(graph, "cache leaves");
    ASSERT_EQ(left.size(), 2U * 6U);
    EXPECT_EQ(left[0], 2 * token);  // the prompt
    EXPECT_EQ(sum(left), 2 * 7 * token);
    // Five passes find 2, 3, ... 6 tokens, in each of two layers.
    EXPECT_EQ(sum(bytes_moved(graph, "cache fetch")), 2 * (2 + 3 + 4 + 5 + 6) * token);
}

TEST(Generation, HoldsNoGradientsAndNoState)
{
    auto workload = generating();
    const auto here = footprint(workload)[0];
    EXPECT_EQ(here.gradients, Bytes{});
    EXPECT_EQ(here.optimizer, Bytes{});
    // Seven tokens of two sequences in two layers.
    EXPECT_EQ(here.activations.base(), 2 * 7 * (2 * 2 * 128 * 2 * 2));
    workload.offload.emplace();
    workload.offload->cache = {spec::DataTier::storage, 1, std::nullopt};
    EXPECT_LE(footprint(workload)[0].activations, here.activations);
    EXPECT_EQ(whole_cache(workload, stages(workload)[0]), here.activations);
}

TEST(Generation, DoesAThirdOfTheWorkOfATrainingStepForEveryTokenThatIsRead)
{
    // Seven of eight tokens of two sequences are read, and the words are scored for six of them.
    auto workload = generating();
    const auto generated = training_step(workload).model_flops.base();
    workload.prompt.reset();
    const auto trained = training_step(workload).model_flops.base();
    EXPECT_NEAR(generated, trained * 7 / 8 / 3 - 2.0 * 256 * 1024 * 2, 1e-3);
}

TEST(Generation, NoPolicyWaitsForItself)
{
    for (const int prefetch : {0, 1, 4}) {
        auto workload = generating();
        workload.offload.emplace();
        workload.offload->weights = {spec::DataTier::storage, 0.5, std::nullopt};
        workload.offload->cache = {spec::DataTier::dram, 1, std::nullopt};
        workload.offload->prefetch = prefetch;
        workload.offload->buffers = {.count = 1, .size = Bytes::of(1 << 20)};
        const auto graph = training_step(workload);
        InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
        EXPECT_TRUE(machine.run()) << prefetch;
    }
}

}  // namespace
}  // namespace sim::workload

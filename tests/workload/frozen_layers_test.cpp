#include <gtest/gtest.h>

#include "workload/footprint.hpp"
#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/layer_operations.hpp"
#include "workload/model_flops.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

/// Four stages of two layers, of which the first five do not learn.
spec::WorkloadSpec half_frozen()
{
    auto workload = small_pipeline(4, 8);
    workload.plan.data = 2;
    workload.frozen_layers = 5;
    return workload;
}

TEST(FrozenLayers, HaveNoGradientsAndNoOptimizerState)
{
    const auto workload = half_frozen();
    const auto parts = stages(workload);
    const auto part = shard(workload);
    const auto layer = layer_parameters(part);
    EXPECT_EQ(trained_parameters(parts[0], part), 0);
    EXPECT_EQ(trained_parameters(parts[1], part), 0);
    EXPECT_EQ(trained_parameters(parts[2], part), layer);
    // Two layers, the last norm and the output projection of 1,024 words.
    EXPECT_EQ(trained_parameters(parts[3], part), 2 * layer + 256 + 1024 * 256);
    const auto memory = footprint(workload);
    EXPECT_EQ(memory[1].gradients.base(), 0);
    EXPECT_EQ(memory[1].optimizer.base(), 0);
    EXPECT_EQ(memory[1].activations.base(), 0);
    EXPECT_EQ(memory[1].weights.base(), 2 * 2 * layer);
    EXPECT_EQ(memory[2].gradients.base(), 4 * layer);
    EXPECT_EQ(memory[2].optimizer.base(), 12 * layer);
}

TEST(FrozenLayers, RunAheadAndNeverBack)
{
    const auto graph = training_step(half_frozen());
    const auto runs = [&](std::size_t stage, const std::string& label) {
        return kernel_bytes(graph, label, stage).size();
    };
    // Four micro-batches a rank.
    for (const std::size_t stage : {0U, 1U, 2U, 3U}) {
        EXPECT_EQ(runs(stage, "qkv"), 4U * 2);
    }
    EXPECT_EQ(runs(1, "qkv dgrad"), 0U);
    EXPECT_EQ(runs(2, "qkv dgrad"), 4U * 1);
    EXPECT_EQ(runs(2, "qkv wgrad"), 4U * 1);
    EXPECT_EQ(runs(3, "qkv dgrad"), 4U * 2);
    EXPECT_EQ(runs(0, "embedding backward"), 0U);
}

TEST(FrozenLayers, StagesBelowGetNoGradientsSent)
{
    const auto graph = training_step(half_frozen());
    EXPECT_TRUE(bytes_moved(graph, "backward send", 1).empty());
    EXPECT_TRUE(bytes_moved(graph, "backward send", 2).empty());
    EXPECT_EQ(bytes_moved(graph, "backward send", 3).size(), 4U);
    EXPECT_EQ(bytes_moved(graph, "backward receive", 2).size(), 4U);
    EXPECT_TRUE(bytes_moved(graph, "gradient bucket", 0).empty());
    EXPECT_EQ(sum_of(bytes_moved(graph, "gradient bucket", 2)),
              4 * layer_parameters(shard(half_frozen())));
}

TEST(FrozenLayers, NoPlanWaitsForItself)
{
    for (const int frozen : {1, 3, 4, 7}) {
        for (const int chunks : {1, 2}) {
            for (const int zero : {0, 1}) {
                for (const bool tied : {false, true}) {
                    auto workload = half_frozen();
                    workload.frozen_layers = frozen;
                    workload.plan.chunks = chunks;
                    workload.plan.zero = zero;
                    workload.model.tied_embeddings = tied;
                    const auto graph = training_step(workload);
                    InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
                    EXPECT_TRUE(machine.run()) << frozen << chunks << zero << tied;
                    std::int64_t summed = 0;
                    std::int64_t trained = 0;
                    for (std::size_t stage = 0; stage < 4; ++stage) {
                        summed += sum_of(bytes_moved(graph, "gradient bucket", stage));
                        trained += trained_parameters(stages(workload)[stage], shard(workload));
                    }
                    EXPECT_EQ(summed, 4 * trained) << frozen << chunks << zero << tied;
                }
            }
        }
    }
}

TEST(FrozenLayers, CountAThirdOfTheModelsOperations)
{
    auto workload = small_pipeline(1, 1);
    const auto all = model_flops(workload, 128).base();
    workload.frozen_layers = 1;
    const auto some = model_flops(workload, 128).base();
    // Of one of two layers 4 of 6 a number in its matrices, and 4 of 6 of its attention.
    const double matrices = 4.0 * 256 * 256 + 3.0 * 256 * 512;
    EXPECT_DOUBLE_EQ(all - some, 128 * (4 * matrices + 4 * 128.0 * 256));
}

TEST(FrozenLayers, WeightsOfFourBitsAreWidenedBeforeEveryPass)
{
    auto workload = small_pipeline(1, 1);
    workload.adapter_rank = 16;
    workload.weights = spec::Precision::fp4;
    const auto part = shard(workload);
    const auto matrices = static_cast<double>(layer_parameters(part) - 2 * 256);
    // Half a byte and 0.127 bits of scales are read and two bytes written (QLoRA, section 3).
    const double bytes = matrices * (0.5 + 0.127 / 8 + 2);
    for (const auto& recipe : {layer_forward(part, {}, false), layer_backward(part, {})}) {
        const auto& first = recipe.items().front();
        EXPECT_EQ(first.label, "widen weights");
        EXPECT_NEAR(first.operation.bytes, bytes, 1);
    }
    // A widened copy of the widest matrix, 256 x 1,024, is held while it is read.
    workload.model.vocab = 64;  // the head's logits take less
    auto wide = workload;
    wide.weights.reset();
    EXPECT_EQ((footprint(workload)[0].temporary - footprint(wide)[0].temporary).base(),
              2 * 256 * 1024);
}

TEST(FrozenLayers, WeightsAsNarrowAsTheProductsAreReadAsTheyAre)
{
    auto workload = small_pipeline(1, 1);
    workload.adapter_rank = 16;
    workload.weights = spec::Precision::fp8;
    workload.precision = spec::Precision::fp8;
    const auto forward = layer_forward(shard(workload), {}, false);
    EXPECT_NE(forward.items().front().label, "widen weights");
}

}  // namespace
}  // namespace sim::workload

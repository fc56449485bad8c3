#include "workload/sharded_program.hpp"

#include <gtest/gtest.h>

#include "workload/communicators.hpp"
#include "workload/footprint.hpp"
#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

/// Eight layers over eight ranks, one micro-batch.
spec::WorkloadSpec sharded(int prefetch)
{
    auto workload = small_pipeline(1, 8);
    workload.model.layers = 8;
    workload.plan.layers_per_stage = {8};
    workload.plan.data = 8;
    workload.plan.zero = 3;
    workload.plan.prefetch = prefetch;
    return workload;
}

/// A gather takes a second, and so does a layer each way.
double step_seconds(int prefetch)
{
    const auto graph = training_step(sharded(prefetch));
    const auto seconds = [](const TaskGraph& tasks, const Kernel& kernel) {
        const auto& name = tasks.labels[kernel.label];
        return name == "qkv" || name == "qkv dgrad" ? 1.0 : 0.0;
    };
    InstantMachine machine{graph, 1, seconds};
    machine.gathers_take(1.0);
    EXPECT_TRUE(machine.run());
    return machine.end_of_step(0, 0);
}

TEST(ShardedProgram, GathersAheadHideUnderTheLayersBefore)
{
    // Without prefetch a gather and a layer in turn: the ends, then eight of each, each way.
    EXPECT_DOUBLE_EQ(step_seconds(0), 1 + 2 * 8 * 2);
    // With it the ends' and the first layer's gather are exposed ahead, and one back.
    EXPECT_DOUBLE_EQ(step_seconds(1), (1 + 1 + 8) + (1 + 8));
    EXPECT_DOUBLE_EQ(step_seconds(3), step_seconds(1));
}

TEST(ShardedProgram, LayersAheadTakeTheirMemory)
{
    const auto temporary = [](int prefetch) {
        auto workload = sharded(prefetch);
        workload.model.vocab = 64;  // the head's logits are smaller than a layer
        return footprint(workload)[0].temporary.base();
    };
    const auto layer = 2 * layer_parameters(shard(sharded(1)));
    EXPECT_EQ(temporary(1) - temporary(0), layer);
    EXPECT_EQ(temporary(4) - temporary(1), 3 * layer);
}

TEST(ShardedProgram, ASecondCopyInTheNodeServesTheBackwardPass)
{
    auto workload = sharded(1);
    workload.plan.backward_group = 4;
    const auto graph = training_step(workload);
    const auto& code = graph.programs[0];
    int ahead = 0;
    int back = 0;
    for (const auto& named : named_tasks(graph, 0)) {
        if (named.label == "parameter gather") {
            const auto slot = code.collectives[named.task->payload].slot;
            ahead += slot == number(Slot::data) ? 1 : 0;
            back += slot == number(Slot::backward_share) ? 1 : 0;
        }
    }
    EXPECT_EQ(ahead, 8 + 1);  // and the ends
    EXPECT_EQ(back, 8);
    const auto slot = [&](std::size_t rank) {
        return graph.slots[rank * graph.slots_per_rank + number(Slot::backward_share)];
    };
    EXPECT_EQ(graph.communicators[slot(5)].members,
              (std::vector<RankId>{RankId{4U}, RankId{5U}, RankId{6U}, RankId{7U}}));
    // A quarter of all parameters in two bytes, beside the eighth.
    const auto all = stage_parameters(stages(workload)[0], shard(workload));
    EXPECT_EQ(footprint(workload)[0].weights.base() - footprint(sharded(1))[0].weights.base(),
              2 * all / 4);
    InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
    EXPECT_TRUE(machine.run());
}

TEST(ShardedProgram, FrozenWeightsAreGatheredAsTheyAreStoredAndAdaptersAloneAreSummed)
{
    // FSDP with QLoRA: 4.127 bits a parameter, and two bytes an adapter's.
    auto workload = sharded(1);
    workload.adapter_rank = 4;
    workload.weights = spec::Precision::fp4;
    const auto part = shard(workload);
    const std::int64_t adapters = 4 * (256 + 768 + 256 + 256);
    const auto graph = training_step(workload);
    const auto gathers = bytes_moved(graph, "parameter gather");
    ASSERT_EQ(gathers.size(), 1U + 8 + 8);
    const auto stored = static_cast<double>(layer_parameters(part)) * (0.5 + 0.127 / 8);
    EXPECT_NEAR(static_cast<double>(gathers[1]), stored + 2.0 * adapters, 1);
    EXPECT_EQ(bytes_moved(graph, "gradient scatter"), std::vector<std::int64_t>(8, 4 * adapters));
    InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
    EXPECT_TRUE(machine.run());
}

TEST(ShardedProgram, FrozenLayersAreGatheredAheadAlone)
{
    auto workload = sharded(2);
    workload.frozen_layers = 5;
    const auto graph = training_step(workload);
    EXPECT_EQ(bytes_moved(graph, "parameter gather").size(), 1U + 8 + 3);
    // Three layers, and of the ends the output projection of 1,024 words and the last norm.
    EXPECT_EQ(sum_of(bytes_moved(graph, "gradient scatter")),
              4 * (3 * layer_parameters(shard(workload)) + 1024 * 256 + 256));
    InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
    EXPECT_TRUE(machine.run());
}

TEST(ShardedProgram, ARankWithTheWholeSecondCopyGathersNothingBack)
{
    auto workload = sharded(1);
    workload.plan.backward_group = 1;
    EXPECT_EQ(bytes_moved(training_step(workload), "parameter gather").size(), 8U + 1);
}

}  // namespace
}  // namespace sim::workload

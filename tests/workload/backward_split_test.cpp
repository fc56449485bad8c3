#include "workload/backward_split.hpp"

#include <gtest/gtest.h>

#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/layer_operations.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

spec::WorkloadSpec without_bubbles(int stages, int micro_batches)
{
    auto workload = small_pipeline(stages, micro_batches);
    workload.plan.schedule = spec::Schedule::zero_bubble;
    return workload;
}

TEST(BackwardSplit, EveryKernelIsInOneHalfAndProductsAreHalvedEvenly)
{
    const auto backward = layer_backward(shard(llama3_70b_on_128()), {});
    const auto split = split_backward(backward);
    EXPECT_EQ(split.input.size() + split.weights.size(), backward.items().size());
    const auto flops = [](const std::vector<Item>& items) {
        double sum = 0;
        for (const auto& item : items) {
            sum +=
                item.operation.kind == spec::OperationKind::gemm ? item.operation.flops.base() : 0;
        }
        return sum;
    };
    EXPECT_DOUBLE_EQ(flops(split.input), flops(split.weights));
}

TEST(BackwardSplit, AllGradientsAreCompleteWhenTheSecondHalfEnds)
{
    const auto part = shard(llama3_70b_on_128());
    const auto split = split_backward(layer_backward(part, {}));
    std::int64_t gradients = 0;
    for (const auto& item : split.input) {
        EXPECT_EQ(item.gradients, 0) << item.label;
    }
    for (const auto& item : split.weights) {
        gradients += item.gradients;
    }
    EXPECT_EQ(gradients, layer_parameters(part));
    EXPECT_EQ(split.weights.back().gradients, gradients);
}

TEST(BackwardSplit, KernelsOfTheFirstHalfWaitForTheSameCollectives)
{
    const auto backward = layer_backward(shard(llama3_70b_on_128()), {});
    const auto split = split_backward(backward);
    const auto awaited = [](const std::vector<Item>& items, const std::string& label) {
        for (const auto& item : items) {
            if (item.label == label && item.after != kNothing) {
                return items[static_cast<std::size_t>(item.after)].label;
            }
        }
        return std::string{};
    };
    for (const auto* label : {"down dgrad", "projection dgrad", "norm backward"}) {
        EXPECT_EQ(awaited(split.input, label), awaited(backward.items(), label)) << label;
    }
}

TEST(BackwardSplit, AStepTakesTheClosedFormOfZeroBubbleH1)
{
    // m (f + b + w) + (p - 1) (f + b - w) of Qi et al. (arXiv:2401.10241), where 1F1B takes
    // (m + p - 1) (f + b + w); two layers a stage.
    for (const double weights : {1.0, 0.5}) {
        const auto seconds = [&](const TaskGraph& graph, const Kernel& kernel) {
            const auto& name = graph.labels[kernel.label];
            return name == "qkv"         ? 1
                   : name == "qkv dgrad" ? 1.5
                   : name == "qkv wgrad" ? weights
                                         : 0;
        };
        const double f = 2;
        const double b = 3;
        const double w = 2 * weights;
        for (const int stages : {2, 4}) {
            const auto graph = training_step(without_bubbles(stages, 8));
            InstantMachine machine{graph, 2, seconds};
            ASSERT_TRUE(machine.run());
            const double step = 8 * (f + b + w) + (stages - 1) * (f + b - w);
            EXPECT_DOUBLE_EQ(machine.end_of_step(0, 0), step);
            const auto alternating = training_step(small_pipeline(stages, 8));
            InstantMachine reference{alternating, 1, seconds};
            ASSERT_TRUE(reference.run());
            EXPECT_DOUBLE_EQ(reference.end_of_step(0, 0), (8 + stages - 1) * (f + b + w));
        }
    }
}

TEST(BackwardSplit, EveryGradientIsSummedOnceAndNoPlanWaitsForItself)
{
    for (const bool blocking : {false, true}) {
        for (const int zero : {0, 1}) {
            auto workload = without_bubbles(2, 8);
            workload.plan.tensor = 2;
            workload.plan.sequence_parallel = true;
            workload.plan.data = 2;
            workload.plan.zero = zero;
            workload.framework.blocking_transfers = blocking;
            workload.framework.issue_backward = Time::of(1);
            const auto graph = training_step(workload);
            for (const std::size_t stage : {0U, 1U}) {
                EXPECT_EQ(sum_of(bytes_moved(graph, "gradient bucket", stage)),
                          4 * stage_parameters(stages(workload)[stage], shard(workload)));
            }
            InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
            EXPECT_TRUE(machine.run()) << blocking << zero;
        }
    }
}

}  // namespace
}  // namespace sim::workload

// Activations on their way to host memory and back, on a machine.

#include <gtest/gtest.h>

#include "replay/copy_cluster.hpp"
#include "replay/run.hpp"
#include "replay/tier_use.hpp"
#include "workload/activation_offload.hpp"

namespace sim::replay::test
{
namespace
{

/// One GPU, eight layers, four micro-batches of 2,048 tokens.
spec::ExperimentSpec job(int offloaded)
{
    spec::ExperimentSpec experiment;
    experiment.cluster = tiered_cluster(1, 1, 1, 0);
    auto& workload = experiment.workload;
    workload.model = {.name = "small",
                      .hidden = 2048,
                      .layers = 8,
                      .heads = 16,
                      .kv_heads = 16,
                      .head_dim = 128,
                      .ffn = 8192,
                      .vocab = 1024};
    workload.sequence = 2048;
    workload.global_batch = 4;
    workload.micro_batch = 1;
    workload.gradient_precision = spec::Precision::bf16;
    workload.framework.gradient_bucket = Bytes::of(1'000'000'000);
    workload.offload.emplace();
    workload.offload->activations = {spec::DataTier::dram, 1, offloaded};
    workload.offload->buffers = {.count = 1, .size = Bytes::of(1 << 20)};
    return experiment;
}

double waited(const Result& result)
{
    return result.classes.front().ledger[static_cast<std::size_t>(Entry::offload_dram)].base();
}

double copied(const spec::ExperimentSpec& experiment)
{
    const auto& workload = experiment.workload;
    const auto held = workload::activations_away(workload, workload::stages(workload)[0]);
    return 4 * static_cast<double>(held.base());  // of one micro-batch in flight, four times
}

TEST(ActivationOffload, HostMemoryThatDoesNotHoldThemIsTooSmall)
{
    auto experiment = job(7);
    const auto& workload = experiment.workload;
    const auto held = workload::activations_away(workload, workload::stages(workload)[0]);
    auto& dram = *experiment.cluster.node.host.dram;
    dram.capacity = held;
    EXPECT_TRUE(tier_shortages(experiment).empty());
    dram.capacity = held - Bytes::of(1);
    ASSERT_EQ(tier_shortages(experiment).size(), 1U);
    EXPECT_EQ(tier_shortages(experiment)[0].needs, held);
}

TEST(ActivationOffload, AFastLinkHidesTheCopiesUnderTheLayers)
{
    // A layer: 134 M parameters' worth of products take 4096 x 2048 x 67 M / 100 TFLOP/s = 2.7 ms
    // ahead and twice that back; its activations of 0.2 GB take 3.4 ms at 63 GB/s. At ten times
    // that they take a tenth of it.
    auto fast = job(7);
    fast.cluster.node.pcie.lanes = 160;
    const auto with = run(fast, {engine::Kind::native});
    fast.workload.offload.reset();
    const auto without = run(fast, {engine::Kind::native});
    EXPECT_LT(waited(with), 0.02 * with.step.base());
    EXPECT_NEAR(with.step / without.step, 1, 0.03);
    EXPECT_EQ(waited(without), 0);
}

TEST(ActivationOffload, ASlowLinkSetsThePaceAndItsWaitHasAnEntry)
{
    auto slow = job(8);
    slow.cluster.node.pcie.generation = 3;
    slow.cluster.node.pcie.lanes = 4;  // 8 GT/s x 4 x 128/130 / 8: 3.94 GB/s
    const auto result = run(slow, {engine::Kind::native});
    const double link = 8e9 * 4 * 128 / 130 / 8;
    // Both directions carry everything once; a micro-batch's backward follows its forward.
    EXPECT_GT(result.step.base(), 2 * copied(slow) / link * 0.95);
    EXPECT_GT(waited(result), 0.5 * result.step.base());
    double sum = 0;
    for (const auto entry : result.classes.front().ledger) {
        sum += entry.base();
    }
    EXPECT_NEAR(sum / result.step.base(), 1, 1e-9);
}

TEST(ActivationOffload, BothEnginesAgree)
{
    const auto experiment = job(4);
    const auto native = run(experiment, {engine::Kind::native});
    const auto simgrid = run(experiment, {engine::Kind::simgrid});
    EXPECT_NEAR(native.step / simgrid.step, 1, 1e-6);
}

}  // namespace
}  // namespace sim::replay::test

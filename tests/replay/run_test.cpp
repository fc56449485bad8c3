#include "replay/run.hpp"

#include <gtest/gtest.h>

#include "core/literals.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"
#include "workload/training_step.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

/// Ten small layers cut over the stages given, one micro-batch of 512 tokens at a time.
spec::ExperimentSpec experiment(const std::vector<int>& layers_per_stage, int data)
{
    spec::ExperimentSpec experiment;
    const auto stages = static_cast<int>(layers_per_stage.size());
    experiment.cluster = ideal_cluster(1, stages * data);
    auto& workload = experiment.workload;
    auto& model = workload.model;
    model.name = "small";
    model.hidden = 512;
    model.layers = 10;
    model.heads = 8;
    model.kv_heads = 8;
    model.head_dim = 64;
    model.ffn = 1024;
    model.vocab = 4096;
    workload.sequence = 512;
    workload.global_batch = 4 * data;
    workload.micro_batch = 1;
    workload.plan.pipeline = stages;
    workload.plan.data = data;
    workload.plan.zero = data > 1 ? 1 : 0;
    workload.plan.layers_per_stage = layers_per_stage;
    workload.framework.gradient_bucket = 4_MB;
    workload.framework.optimizer_bytes_per_parameter = 34;
    workload.framework.optimizer_state_bytes = 12;
    return experiment;
}

/// FLOPs executed in a step by the whole job.
double executed(const spec::ExperimentSpec& experiment, const Result& result)
{
    const auto gpus = experiment.cluster.node.gpus;
    return result.hfu * result.step.base() * gpus * 100e12;
}

TEST(Run, NoLayerIsLostWhenThePipelineIsCutUnevenly)
{
    const auto whole = experiment({10}, 1);
    const auto once = run(whole, {engine::Kind::native});
    for (const auto& layers : {std::vector<int>{5, 5}, {3, 3, 3, 1}, {4, 3, 3}}) {
        const auto cut = experiment(layers, 1);
        const auto result = run(cut, {engine::Kind::native});
        EXPECT_NEAR(executed(cut, result) / executed(whole, once), 1, 1e-12) << layers.size();
    }
}

TEST(Run, WithoutRecomputationHardwareAndModelFlopsAreTheSame)
{
    const auto result = run(experiment({10}, 1), {engine::Kind::native});
    // HFU counts attention as the kernels compute it, MFU by half; both count every matrix once.
    EXPECT_NEAR(result.hfu / result.mfu, 1, 0.1);
    EXPECT_GT(result.mfu, 0);
    EXPECT_LE(result.mfu, 1);
}

TEST(Run, FullRecomputationRaisesHfuOverMfuByAForwardPass)
{
    auto spec = experiment({10}, 1);
    spec.workload.recompute = spec::Recompute::full;
    const auto result = run(spec, {engine::Kind::native});
    // A layer's forward is a third of forward and backward; the head is not recomputed.
    EXPECT_GT(result.hfu / result.mfu, 1.2);
    EXPECT_LT(result.hfu / result.mfu, 4.0 / 3.0 + 0.1);
}

TEST(Run, RatesFollowFromTheStep)
{
    const auto spec = experiment({5, 5}, 2);
    const auto result = run(spec, {engine::Kind::native});
    EXPECT_DOUBLE_EQ(result.tokens_per_second, 8 * 512 / result.step.base());
    EXPECT_DOUBLE_EQ(result.tokens_per_second_per_gpu, result.tokens_per_second / 4);
    EXPECT_DOUBLE_EQ(result.mfu, result.model_flops_per_second_per_gpu / 100e12);
    ASSERT_EQ(result.footprint.size(), 2U);
    std::uint64_t ranks = 0;
    for (const auto& one : result.classes) {
        EXPECT_EQ(one.members.size(), one.multiplicity);
        ranks += one.multiplicity;
    }
    EXPECT_EQ(ranks, 4U);
}

TEST(Run, BothEnginesGiveTheSameStepWithinSimgridsRounding)
{
    auto spec = experiment({5, 5}, 2);
    spec.cluster.node.gpu.kernel_launch = 3_us;
    spec.cluster.collective = {.name = "library", .channel_sms = 12, .launch = 8_us};
    const auto native = run(spec, {engine::Kind::native});
    const auto simgrid = run(spec, {engine::Kind::simgrid});
    // SimGrid counts consumptions in whole numbers: a kernel's FLOPs per byte are rounded by up to
    // 1e-6. With representable ones they agree to 1e-9 (simulate_test.cpp).
    EXPECT_NEAR(native.step / simgrid.step, 1, 1e-6);
    EXPECT_EQ(native.activities, simgrid.activities);
    EXPECT_FALSE(simgrid.engine_options.empty());
}

TEST(Run, MoreStepsDoNotChangeTheSteadyPeriod)
{
    auto spec = experiment({5, 5}, 2);
    const auto two = run(spec, {engine::Kind::native});
    spec.steps = 6;
    const auto six = run(spec, {engine::Kind::native});
    EXPECT_NEAR(six.step / two.step, 1, 1e-9);
}

}  // namespace
}  // namespace sim::replay::test

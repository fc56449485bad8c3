#include "spec/experiment.hpp"

#include <gtest/gtest.h>

#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

ExperimentSpec example()
{
    ExperimentSpec experiment;
    experiment.cluster = example_cluster();
    experiment.workload = example_workload();
    return experiment;
}

TEST(ValidateExperiment, ARightOneHasNothingToSay) { EXPECT_EQ(told(validate(example())), ""); }

TEST(ValidateExperiment, ThePlanIsHeldAgainstTheCluster)
{
    auto experiment = example();
    experiment.cluster.nodes = 8;
    EXPECT_EQ(told(validate(experiment)),
              "error: workload.parallel.data: tensor 8 x pipeline 1 x data 16 = 128 ranks, but the "
              "cluster has 64 | write data: 8");
}

TEST(ValidateExperiment, AClusterWithoutNodesIsOneMistakeNotTwo)
{
    auto experiment = example();
    experiment.cluster.nodes = 0;
    EXPECT_EQ(told(validate(experiment)), "error: cluster.nodes: is 0, but must be at least 1");
}

TEST(ValidateExperiment, AnUnrelatedMistakeHidesNoOther)
{
    auto experiment = example();
    experiment.cluster.node.nic.efficiency = 0;
    experiment.cluster.nodes = 8;
    experiment.steps = 0;
    EXPECT_EQ(told(validate(experiment)),
              "error: cluster.nic.efficiency: is 0, but must be above 0 and at most 1\n"
              "error: workload.parallel.data: tensor 8 x pipeline 1 x data 16 = 128 ranks, but the "
              "cluster has 64 | write data: 8\n"
              "error: steps: is 0, but must be at least 1");
}

TEST(ValidateExperiment, ThePrecisionNeedsAPeak)
{
    auto experiment = example();
    experiment.cluster.node.gpu.peak[Precision::fp16] = FlopRate::of(1e15);
    experiment.cluster.node.gpu.math_efficiency[Precision::fp16] = 0.7;
    experiment.workload.precision = Precision::fp8;
    EXPECT_EQ(
        told(validate(experiment)),
        "error: workload.precision: \"G\" has no peak rate in fp8 | write one of bf16, fp16, or "
        "give cluster.gpu.peak.fp8");
}

}  // namespace
}  // namespace sim::spec

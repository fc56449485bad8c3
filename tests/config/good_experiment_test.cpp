#include <gmock/gmock.h>

#include "config/fixture.hpp"
#include "core/literals.hpp"

namespace sim::config
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

class GoodExperiment : public InFolder
{
};

TEST_F(GoodExperiment, GivesTheMachineAsWritten)
{
    write_good();
    const auto cluster = load_experiment("run.yaml", {}).spec.cluster;
    EXPECT_EQ(cluster.name, "small");
    EXPECT_EQ(cluster.nodes, 2);
    EXPECT_EQ(cluster.node.gpus, 4);
    const auto& gpu = cluster.node.gpu;
    EXPECT_EQ(gpu.sms, 100);
    ASSERT_EQ(gpu.peak.size(), 2U);
    EXPECT_EQ(gpu.peak.at(spec::Precision::bf16), FlopRate::of(1e15));
    EXPECT_EQ(gpu.peak.at(spec::Precision::fp8), FlopRate::of(2e15));
    const std::map<spec::Precision, double> shares{{spec::Precision::bf16, 0.8},
                                                   {spec::Precision::fp8, 0.8}};
    EXPECT_EQ(gpu.math_efficiency, shares);
    EXPECT_EQ(gpu.attention.at(spec::AttentionLibrary::flash_2).backward.fill, 220);
    EXPECT_EQ(gpu.memory, Bytes::of(80LL << 30));
    EXPECT_EQ(gpu.memory_bandwidth, Bandwidth::of(3.35e12));
    EXPECT_EQ(gpu.memory_efficiency, 0.9);
    EXPECT_EQ(gpu.kernel_launch, Time::of(2.5e-6));
    EXPECT_EQ(cluster.node.nvlink.bandwidth, Bandwidth::of(450e9));
    EXPECT_EQ(cluster.node.pcie.generation, 5);
    // 400 Gbit/s are 50 GB/s.
    EXPECT_EQ(cluster.node.nic.bandwidth, Bandwidth::of(50e9));
    EXPECT_EQ(cluster.node.nics, 2);
    ASSERT_EQ(spec::kind_name(cluster.fabric), "leaf_spine");
    const auto& network = std::get<spec::LeafSpineSpec>(cluster.fabric.network);
    // 25.6 Tbit/s are 3.2 TB/s.
    EXPECT_EQ(network.leaf.capacity, Bandwidth::of(3.2e12));
    EXPECT_EQ(network.spine.max_ports, 128);
    EXPECT_FALSE(network.uplink.has_value());
    EXPECT_FALSE(network.spines.has_value());
    EXPECT_EQ(cluster.collective.channel_sms, 16);
}

TEST_F(GoodExperiment, GivesTheJobAsWritten)
{
    write_good();
    const auto spec = load_experiment("run.yaml", {}).spec;
    EXPECT_EQ(spec.seed, 7U);
    const auto& workload = spec.workload;
    EXPECT_EQ(workload.model.name, "model");
    EXPECT_EQ(workload.sequence, 2048);
    EXPECT_EQ(workload.global_batch, 16);
    EXPECT_EQ(workload.micro_batch, 2);
    EXPECT_EQ(workload.precision, spec::Precision::bf16);
    EXPECT_EQ(workload.gradient_precision, spec::Precision::fp32);
    EXPECT_EQ(workload.framework.gradient_bucket, Bytes::of(80'000'000));
    EXPECT_TRUE(workload.framework.overlap_gradients);
    EXPECT_FALSE(workload.framework.overlap_parameters);
    EXPECT_EQ(workload.framework.optimizer_bytes_per_parameter, 40);
}

TEST_F(GoodExperiment, FillsThePlanWithTheDefaultsOfThePage)
{
    write_good();
    const auto spec = load_experiment("run.yaml", {}).spec;
    EXPECT_EQ(spec.name, "run");
    EXPECT_EQ(spec.steps, 2);
    const auto& plan = spec.workload.plan;
    EXPECT_EQ(plan.pipeline, 1);
    EXPECT_EQ(plan.zero, 0);
    EXPECT_FALSE(plan.zero_group.has_value());
    EXPECT_FALSE(plan.sequence_parallel);
    EXPECT_EQ(spec.workload.recompute, spec::Recompute::none);
    EXPECT_EQ(spec.cluster.fabric.routing, spec::Routing::even);
    EXPECT_EQ(spec.cluster.fabric.connections, 1);
    // 2 nodes of 4 GPUs over tensor 2.
    EXPECT_EQ(plan.data, 4);
    // 4 GPUs over 2 NICs, in order.
    EXPECT_THAT(spec.cluster.node.nic_of_gpu, ElementsAre(0, 0, 1, 1));
}

TEST_F(GoodExperiment, SaysWhereEveryValueComesFrom)
{
    write_good();
    const auto resolved = load_experiment("run.yaml", {{"seed", "9"}}).resolved;
    EXPECT_THAT(resolved, HasSubstr("seed: 9  # --set seed=9\n"));
    EXPECT_THAT(resolved, HasSubstr("  nodes: 2  # cluster.yaml:2\n"));
    EXPECT_THAT(resolved, HasSubstr("      fp8: 2000 TFLOP/s  # cluster.yaml:7\n"));
    EXPECT_THAT(resolved, HasSubstr("    routing: even  # default\n"));
    EXPECT_THAT(resolved, HasSubstr("    of_gpu: [0, 0, 1, 1]  # default: spread evenly\n"));
    EXPECT_THAT(resolved, HasSubstr("    data: 4  # default: auto: 8 ranks / (tensor 2 x "
                                    "pipeline 1)\n"));
    EXPECT_THAT(resolved, HasSubstr("steps: 2  # default\n"));
}

TEST_F(GoodExperiment, ReadsItsOwnResolvedTextAsTheSameExperiment)
{
    write_good();
    const auto first = load_experiment("run.yaml", {});
    write("again.yaml", first.resolved);
    const auto again = load_experiment("again.yaml", {});
    EXPECT_EQ(again.spec.name, "run");
    EXPECT_EQ(again.spec.cluster.node.nic.bandwidth, first.spec.cluster.node.nic.bandwidth);
    EXPECT_EQ(again.spec.workload.plan.data, 4);
    EXPECT_EQ(again.spec.workload.model.hidden, 1024);
}

TEST_F(GoodExperiment, KeepsEveryFileReadAndEveryOverride)
{
    write_good();
    const auto text = load_experiment("run.yaml", {{"steps", "3"}}).input_text;
    EXPECT_EQ(text.find("# file: run.yaml\nformat: 1\n"), 0U);
    EXPECT_THAT(text, HasSubstr("# file: cluster.yaml\nname: small\n"));
    EXPECT_THAT(text, HasSubstr("# file: model.json\n{\n"));
    EXPECT_THAT(text, HasSubstr("\n# --set steps=3\n"));
}

}  // namespace
}  // namespace sim::config

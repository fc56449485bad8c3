#include <gmock/gmock.h>

#include "config/fixture.hpp"

namespace sim::config
{
namespace
{

using testing::ElementsAre;

class Merging : public InFolder
{
};

TEST_F(Merging, TheLocalFileWinsKeyByKey)
{
    write_good();
    write_run_with("{ extends: cluster.yaml }",
                   "{ extends: cluster.yaml, nic: { bandwidth: 800 Gbps } }");
    const auto node = load_experiment("run.yaml", {}).spec.cluster.node;
    EXPECT_EQ(node.nic.bandwidth, Bandwidth::of(100e9));
    EXPECT_EQ(node.nic.efficiency, 0.96);
}

TEST_F(Merging, PathsAreRelativeToTheFileTheyStandIn)
{
    write_good();
    write("parts/machine/small.yaml", "extends: ../../cluster.yaml\nnic: { extends: n.yaml }\n");
    write("parts/machine/n.yaml", "name: Other\n");
    write_run_with("cluster.yaml", "parts/machine/small.yaml");
    const auto node = load_experiment("run.yaml", {}).spec.cluster.node;
    EXPECT_EQ(node.nic.name, "Other");
    EXPECT_EQ(node.nic.bandwidth, Bandwidth::of(50e9));
}

TEST_F(Merging, ALocalExtendsReplacesTheOneOfTheBase)
{
    write_good();
    write("slow.yaml", "{ name: Slow, bandwidth: 100 Gbps, efficiency: 0.9, latency: 4 us }\n");
    write("fast.yaml", "{ name: Fast, bandwidth: 800 Gbps, efficiency: 0.9, latency: 4 us }\n");
    write("with_slow.yaml", "extends: cluster.yaml\nnic: { extends: slow.yaml, per_node: 2 }\n");
    write_run_with("cluster.yaml", "with_slow.yaml, nic: { extends: fast.yaml }");
    const auto node = load_experiment("run.yaml", {}).spec.cluster.node;
    EXPECT_EQ(node.nic.name, "Fast");
    EXPECT_EQ(node.nics, 2);
}

TEST_F(Merging, NothingOfAReplacedPartStaysBehind)
{
    write_good();
    write("old.yaml", "{ bf16: 1 TFLOP/s, fp4: 4 TFLOP/s }\n");
    write("new.yaml", "{ bf16: 2 TFLOP/s }\n");
    write("with_old.yaml", "extends: cluster.yaml\ngpu: { peak: { extends: old.yaml } }\n");
    write_run_with("cluster.yaml", "with_old.yaml, gpu: { peak: { extends: new.yaml } }");
    const auto gpu = load_experiment("run.yaml", {}).spec.cluster.node.gpu;
    EXPECT_EQ(gpu.peak.at(spec::Precision::bf16), FlopRate::of(2e12));
    EXPECT_EQ(gpu.peak.count(spec::Precision::fp4), 0U);
}

TEST_F(Merging, AnOverrideReplacesAddsAndRemoves)
{
    write_good();
    const auto load = [](const std::vector<Override>& overrides) {
        return load_experiment("run.yaml", overrides).spec.cluster;
    };
    EXPECT_EQ(load({{"cluster.nic.bandwidth", "800 Gbps"}}).node.nic.bandwidth,
              Bandwidth::of(100e9));
    const auto uplink = [&](const std::vector<Override>& overrides) {
        return std::get<spec::LeafSpineSpec>(load(overrides).fabric.network).uplink;
    };
    EXPECT_EQ(uplink({{"cluster.fabric.uplink", "200 Gbps"}}), Bandwidth::of(25e9));
    EXPECT_EQ(uplink({{"cluster.fabric.uplink", "200 Gbps"}, {"cluster.fabric.uplink", "null"}}),
              std::nullopt);
    EXPECT_THAT(load({{"cluster.nic.of_gpu", "[1, 1, 0, 0]"}}).node.nic_of_gpu,
                ElementsAre(1, 1, 0, 0));
}

TEST_F(Merging, AnOverrideReplacesOneItemOfAList)
{
    write_good();
    write_run_with("tensor: 2", "tensor: 2, pipeline: 2, layers_per_stage: [6, 6]");
    const auto plan = load_experiment("run.yaml", {{"workload.parallel.layers_per_stage.0", "7"},
                                                   {"workload.parallel.layers_per_stage.1", "5"}})
                          .spec.workload.plan;
    EXPECT_THAT(plan.layers_per_stage, ElementsAre(7, 5));
}

TEST_F(Merging, AnOverrideSwapsAWholePart)
{
    write_good();
    write("parts/fast.yaml",
          "{ name: Fast, bandwidth: 800 Gbps, efficiency: 0.9, latency: 4 us }\n");
    write("parts/slow.yaml",
          "{ name: Slow, bandwidth: 100 Gbps, efficiency: 0.9, latency: 4 us }\n");
    write("with_nic.yaml", "extends: cluster.yaml\nnic: null\n");
    write("named.yaml", "extends: with_nic.yaml\nnic: { extends: parts/slow.yaml, per_node: 2 }\n");
    write_run_with("cluster.yaml", "named.yaml");
    EXPECT_EQ(load_experiment("run.yaml", {}).spec.cluster.node.nic.name, "Slow");
    EXPECT_EQ(load_experiment("run.yaml", {{"cluster.nic.extends", "parts/fast.yaml"}})
                  .spec.cluster.node.nic.name,
              "Fast");
}

/// The second of two points that share files reads none of them again.
TEST_F(Merging, FilesThatWereReadBeforeAreAsTheyWereThen)
{
    write_good();
    ParsedFiles known;
    const auto first = load_experiment("run.yaml", {{"cluster.nodes", "1"}}, known);
    const auto alone = load_experiment("run.yaml", {{"cluster.nodes", "4"}});
    write("cluster.yaml", "no cluster any more");
    const auto second = load_experiment("run.yaml", {{"cluster.nodes", "4"}}, known);
    EXPECT_EQ(first.spec.cluster.nodes, 1);
    EXPECT_EQ(second.spec.cluster, alone.spec.cluster);
    EXPECT_EQ(second.spec.workload, alone.spec.workload);
    EXPECT_EQ(second.input_text, alone.input_text);
    EXPECT_EQ(second.resolved, alone.resolved);
    EXPECT_THROW((void)load_experiment("run.yaml", {}), InputError);
}

}  // namespace
}  // namespace sim::config

#include "spec/cluster.hpp"

#include <gtest/gtest.h>

#include "core/contract.hpp"
#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

using namespace sim::literals;

std::string complaint(const ClusterSpec& cluster) { return told(validate(cluster, "cluster")); }

TEST(RawBandwidth, IsTransfersTimesLanesTimesLineCode)
{
    const auto rate = [](int generation, int lanes) {
        return raw_bandwidth({.generation = generation, .lanes = lanes}).base();
    };
    // 8, 16, 32 GT/s x 16 lanes x 128/130 / 8 bits.
    EXPECT_DOUBLE_EQ(rate(3, 16), 8e9 * 16 * 128 / 130 / 8);
    EXPECT_DOUBLE_EQ(rate(4, 16), 16e9 * 16 * 128 / 130 / 8);
    EXPECT_DOUBLE_EQ(rate(5, 16), 32e9 * 16 * 128 / 130 / 8);
    // 64 and 128 GT/s, 242 of 256 bytes.
    EXPECT_DOUBLE_EQ(rate(6, 16), 64e9 * 16 * 242 / 256 / 8);
    EXPECT_DOUBLE_EQ(rate(7, 8), 128e9 * 8 * 242 / 256 / 8);
    // The familiar figure: 63.0 GB/s for Gen5 x16.
    EXPECT_NEAR(rate(5, 16), 63.0e9, 0.05e9);
}

TEST(RawBandwidth, OfNoGenerationIsABug)
{
    EXPECT_THROW((void)raw_bandwidth({.generation = 2, .lanes = 16}), ContractViolation);
    EXPECT_THROW((void)raw_bandwidth({.generation = 8, .lanes = 16}), ContractViolation);
}

TEST(ValidateCluster, ARightOneHasNothingToSay) { EXPECT_EQ(complaint(example_cluster()), ""); }

TEST(ValidateCluster, ZeroBandwidthIsNamedWithAnExample)
{
    auto cluster = example_cluster();
    cluster.node.nic.bandwidth = Bandwidth{};
    EXPECT_EQ(complaint(cluster),
              "error: cluster.nic.bandwidth: is 0 B/s, but must be above 0 | write a value such as "
              "400 Gbps");
}

TEST(ValidateCluster, AllMistakesAreFoundAtOnce)
{
    auto cluster = example_cluster();
    cluster.node.gpu.sms = 0;
    cluster.node.nvlink.efficiency = 2;
    cluster.node.pcie.generation = 8;
    cluster.node.pcie.lanes = 0;
    auto& network = std::get<LeafSpineSpec>(cluster.fabric.network);
    network.oversubscription = -1;
    network.spines = -1;
    network.uplink = Bandwidth{};
    network.leaf.max_ports = 0;
    network.spine.capacity = Bandwidth{};
    cluster.fabric.cable_latency = 0_ns - 5_ns;
    cluster.fabric.connections = 0;
    EXPECT_EQ(
        complaint(cluster),
        "error: cluster.gpu.sms: is 0, but must be at least 1\n"
        "error: cluster.nvlink.efficiency: is 2, but must be above 0 and at most 1\n"
        "error: cluster.pcie.generation: is 8, but must be from 3 to 7\n"
        "error: cluster.pcie.lanes: is 0, but must be from 1 to 16\n"
        "error: cluster.fabric.oversubscription: is -1, but must be above 0 | write a value such "
        "as 1 (as much up as down) or 4 (a quarter up)\n"
        "error: cluster.fabric.spines: is -1, but must be at least 0\n"
        "error: cluster.fabric.uplink: is 0 B/s, but must be above 0 | write a value such as 800 "
        "Gbps\n"
        "error: cluster.fabric.leaf.max_ports: is 0, but must be at least 1\n"
        "error: cluster.fabric.spine.capacity: is 0 B/s, but must be above 0 | write a value such "
        "as 51.2 Tbps\n"
        "error: cluster.fabric.connections: is 0, but must be from 1 to 4096\n"
        "error: cluster.fabric.cable_latency: is -5 ns, but must not be below 0");
}

TEST(ValidateCluster, EveryGpuHasItsNic)
{
    auto cluster = example_cluster();
    cluster.node.nic_of_gpu = {0, 1, 2};
    EXPECT_EQ(
        complaint(cluster),
        "error: cluster.nic.of_gpu: has 3 entries, but a node has 8 GPUs | write for each GPU "
        "the index of the NIC it uses, from 0");
}

TEST(ValidateCluster, ANicThatIsNotThereIsNamed)
{
    auto cluster = example_cluster();
    cluster.node.nics = 4;
    cluster.node.nic_of_gpu = {0, 0, 1, 1, 2, -1, 3, 4};
    EXPECT_EQ(complaint(cluster),
              "error: cluster.nic.of_gpu: sends GPU 5 to NIC -1, but a node has 4 NICs | write an "
              "index from 0 to 3\n"
              "error: cluster.nic.of_gpu: sends GPU 7 to NIC 4, but a node has 4 NICs | write an "
              "index from 0 to 3");
}

TEST(ValidateCluster, NodesFillLeavesUnlessThereIsOnlyOneLeaf)
{
    auto cluster = example_cluster();
    cluster.nodes = 18;
    EXPECT_EQ(complaint(cluster),
              "error: cluster.nodes: 18 is not a multiple of fabric.nodes_per_leaf 4 | write 16 or "
              "20");
    cluster.nodes = 3;
    EXPECT_EQ(complaint(cluster), "");
    cluster.nodes = 0;
    EXPECT_EQ(complaint(cluster), "error: cluster.nodes: is 0, but must be at least 1");
}

TEST(ValidateCluster, ACollectiveLeavesTheGpuSomeSms)
{
    auto cluster = example_cluster();
    cluster.collective.channel_sms = 100;
    EXPECT_EQ(
        complaint(cluster),
        "error: cluster.collective.channel_sms: holds 100 SMs of a GPU that has 100 | write a "
        "number below 100");
    cluster.collective.channel_sms = 99;
    EXPECT_EQ(complaint(cluster), "");
}

TEST(ValidateCluster, MoreGpusThanCanBeNumberedAreRefused)
{
    auto cluster = example_cluster();
    cluster.nodes = 2'000'000'000;
    EXPECT_EQ(complaint(cluster),
              "error: cluster.nodes: makes 16000000000 GPUs, more than can be numbered");
}

TEST(ValidateCluster, NoPrefixLeavesTheBareKeys)
{
    auto cluster = example_cluster();
    cluster.node.gpu.sms = 0;
    cluster.nodes = 0;
    EXPECT_EQ(told(validate(cluster, "")),
              "error: gpu.sms: is 0, but must be at least 1\n"
              "error: nodes: is 0, but must be at least 1");
}

}  // namespace
}  // namespace sim::spec

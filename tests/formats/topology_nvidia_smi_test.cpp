#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NvidiaSmi, EachGpuTakesTheNicNearestToIt)
{
    // GPU 0 and 1 see NIC 0 over PXB; GPU 2 sees NIC 1 over PIX, GPU 3 over NODE.
    const auto topology = sample("four-gpus.nvsmi");
    EXPECT_EQ(topology.inside.gpus, 4);
    EXPECT_EQ(topology.inside.nics, 2);
    EXPECT_THAT(topology.inside.nic_of_gpu, ElementsAre(0, 0, 1, 1));
}

TEST(NvidiaSmi, SocketsAreTheNumaNodes)
{
    const auto topology = sample("four-gpus.nvsmi");
    EXPECT_THAT(topology.inside.socket_of_gpu, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(topology.inside.socket_of_nic, ElementsAre(0, 1));
}

TEST(NvidiaSmi, MoreLinksThanAGpuHasMeanASwitch)
{
    // 12 links to each of 3 others would be 36; no GPU has more than 18.
    const auto topology = sample("four-gpus.nvsmi");
    EXPECT_TRUE(std::holds_alternative<spec::HgxSpec>(*topology.inside.scale_up));
}

TEST(NvidiaSmi, BridgedPairsAreListed)
{
    const auto topology = sample("bridged-pairs.nvsmi");
    const auto& mesh = std::get<spec::MeshSpec>(*topology.inside.scale_up);
    EXPECT_EQ(mesh.links_per_gpu, 4);
    ASSERT_EQ(mesh.pairs.size(), 2U);
    EXPECT_THAT(mesh.pairs[1].gpus, ElementsAre(2, 3));
    EXPECT_FALSE(topology.inside.nics);
}

TEST(NvidiaSmi, AnUnderlinedHeaderOfATerminalIsRead)
{
    auto text = sample_text("bridged-pairs.nvsmi");
    text.replace(0, 6, "\x1b[4m      ");
    EXPECT_EQ(parse_topology("t", text, {}).inside.gpus, 4);
}

TEST(NvidiaSmi, NoNvlinkIsPcieAlone)
{
    const auto topology = parse_topology("t", "\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\t X \n", {});
    EXPECT_TRUE(std::holds_alternative<spec::PcieNodeSpec>(*topology.inside.scale_up));
}

TEST(NvidiaSmi, ACutOffTableIsRefused)
{
    EXPECT_EQ(refusal("\tGPU0\tGPU1\nGPU0\t X \tNV4\n"),
              R"(t:1:2: error: GPU1 has no row
    1 | 	GPU0	GPU1
      | 	^
      = the table may be cut off
)");
    EXPECT_EQ(refusal("  GPU0 GPU1\nGPU0 X NV4\nGPU1 NV4\n"),
              R"(t:3:1: error: GPU1 has 1 relations, 2 are needed
    3 | GPU1 NV4
      | ^
      = the table may be cut off
)");
}

TEST(NvidiaSmi, WordsThatAreNoRelationAndRowsThatAreNoDeviceAreRefused)
{
    EXPECT_EQ(refusal("  GPU0 GPU1\nGPU0 X FAR\nGPU1 NV0 Y\nGPU7 X X\n"),
              R"(t:2:8: error: "FAR" is not a relation
    2 | GPU0 X FAR
      |        ^
      = write NV#, PIX, PXB, PHB, NODE or SYS
t:3:6: error: "NV0" is not a relation
    3 | GPU1 NV0 Y
      |      ^
      = write NV#, PIX, PXB, PHB, NODE or SYS
t:3:10: error: "Y" is not a relation of a device to itself
    3 | GPU1 NV0 Y
      |          ^
      = write X
t:4:1: error: "GPU7" is no device of the first row
    4 | GPU7 X X
      | ^
)");
}

TEST(NvidiaSmi, AOneSidedRelationIsRefused)
{
    EXPECT_EQ(refusal("  GPU0 GPU1\nGPU0 X NV4\nGPU1 SYS X\n"),
              R"(t:3:1: error: GPU1 to GPU0 is SYS, the other way it is NV4
    3 | GPU1 SYS X
      | ^
)");
}

TEST(NvidiaSmi, TextWithoutATableIsRefused)
{
    EXPECT_THAT(refusal("Legend:\n", {"nvidia-smi", {}}),
                HasSubstr("t: error: has no line of GPU0, GPU1, ..."));
}

class NvidiaSmiWritten : public WrittenFile
{
};

TEST_F(NvidiaSmiWritten, WhatIsWrittenLoadsAndIsBuilt)
{
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.cable_latency = Time::of(100e-9);
    parts.socket_link = {Bandwidth::of(62e9), Time::of(150e-9)};
    const auto cluster = loaded(sample("four-gpus.nvsmi"), parts);
    EXPECT_EQ(cluster.node.host.sockets, 2);
    EXPECT_THAT(cluster.node.nic_of_gpu, ElementsAre(0, 0, 1, 1));
    EXPECT_EQ(fabric::build(cluster).gpus.size(), 4U);

    parts.socket_link.reset();
    parts.nics_per_node = 1;
    EXPECT_EQ(built(sample("bridged-pairs.nvsmi"), parts).nics.size(), 1U);
}

}  // namespace
}  // namespace sim::formats

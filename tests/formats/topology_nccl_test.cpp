#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NcclTopology, GpusAreNumberedByTheirDevice)
{
    // Bus ids 1b, 1a, 90 are devices 0, 1, 2; links 0-1 (4) and 1-2 (2), in either case of letters.
    const auto topology = sample("hybrid.nccl.xml");
    EXPECT_EQ(topology.inside.gpus, 3);
    const auto& mesh = std::get<spec::MeshSpec>(*topology.inside.scale_up);
    ASSERT_EQ(mesh.pairs.size(), 2U);
    EXPECT_THAT(mesh.pairs[0].gpus, ElementsAre(0, 1));
    EXPECT_EQ(mesh.pairs[0].links, 4);
    EXPECT_EQ(mesh.pairs[1].links, 2);
    EXPECT_EQ(mesh.links_per_gpu, 6);
}

TEST(NcclTopology, EveryPortOfAnAdapterIsANic)
{
    const auto topology = sample("hybrid.nccl.xml");
    EXPECT_EQ(topology.inside.nics, 2);
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(200e9 / 8));
    // The ports are equally near: GPU 0 takes the first, GPU 1 the idle one, GPU 2 the first again.
    EXPECT_THAT(topology.inside.nic_of_gpu, ElementsAre(0, 1, 0));
    EXPECT_THAT(topology.inside.socket_of_gpu, ElementsAre(0, 0, 1));
    EXPECT_THAT(topology.inside.socket_of_nic, ElementsAre(0, 0));
}

TEST(NcclTopology, SlotsHaveTheirGenerationAndWidth)
{
    const auto topology = sample("hybrid.nccl.xml");
    EXPECT_EQ(topology.inside.pcie_generation, 4);  // 16 GT/s
    EXPECT_EQ(topology.inside.pcie_lanes, 16);
}

TEST(NcclTopology, WhatIsNotReadIsToldWhereItStands)
{
    EXPECT_EQ(
        warnings(sample("hybrid.nccl.xml")),
        R"(hybrid.nccl.xml:24:5: warning: 1 <pci of class "0x010802"> left out: not a GPU, a network port or a bridge
   24 |     <pci busid="0000:11:00.0" class="0x010802" link_speed="" link_width="4"/>
      |     ^
hybrid.nccl.xml:19:11: warning: 2 network ports are slower than the GPUs' slots, taken as fast as they
   19 |           <net name="mlx5_0" dev="0" speed="200000" port="1"/>
      |           ^
)");
}

TEST(NcclTopology, TargetsThatAreNvswitchesArePlanes)
{
    const auto topology = sample("nvswitch.nccl.xml");
    EXPECT_EQ(std::get<spec::HgxSpec>(*topology.inside.scale_up).planes, 2);
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(400e9 / 8));
}

TEST(NcclTopology, ACloudsFileDoesNotKnowTheLinks)
{
    const auto topology = sample("cloud.nccl.xml");
    EXPECT_EQ(topology.inside.gpus, 2);
    EXPECT_EQ(topology.inside.nics, 2);
    EXPECT_FALSE(topology.inside.scale_up);
    EXPECT_FALSE(topology.inside.nic);
    EXPECT_THAT(topology.inside.nic_of_gpu, ElementsAre(0, 1));
}

TEST(NcclTopology, XgmiBetweenAllPairsIsAFullMesh)
{
    const auto gpu = [](const std::string& own, const std::string& other) {
        return "<pci busid=\"" + own +
               "\" class=\"0x038000\" link_speed=\"16 GT/s\" "
               "link_width=\"16\"><gpu dev=\"0\"><xgmi target=\"" +
               other + "\" count=\"1\" tclass=\"0x038000\"/></gpu></pci>";
    };
    const auto topology = parse_topology(
        "t",
        "<system version=\"2\"><cpu>" + gpu("0:1", "0:2") + gpu("0:2", "0:1") + "</cpu></system>",
        {});
    EXPECT_TRUE(std::holds_alternative<spec::XgmiSpec>(*topology.inside.scale_up));
}

TEST(NcclTopology, WhatIsNotATopologyIsRefused)
{
    EXPECT_EQ(refusal("<graphs version=\"1\"/>\n"),
              R"(t:1:1: error: <graphs> is not a topology
    1 | <graphs version="1"/>
      | ^
      = the root of a topology is <system>, as NCCL_TOPO_DUMP_FILE writes it
)");
    EXPECT_THAT(refusal("<system>\n<cpu>"), HasSubstr("is not XML: "));
    EXPECT_EQ(refusal("<system><cpu/></system>"),
              R"(t:1:1: error: lists no GPU
    1 | <system><cpu/></system>
      | ^
      = a GPU is a pci of class 0x0302, 0x0380 or 0x1200, or one with a <gpu>
)");
}

TEST(NcclTopology, ABusIdOfTwoDevicesIsRefused)
{
    EXPECT_EQ(refusal(changed("cloud.nccl.xml", "0000:20:1c.0", "0000:10:1c.0")),
              R"(t:8:12: error: bus id 0000:10:1c.0 is used twice, first in line 4
    8 |       <pci busid="0000:10:1c.0" class="0x030200" link_speed="8 GT/s" link_width="16"/>
      |            ^
)");
}

TEST(NcclTopology, LinksThatLeadNowhereOrOneWayAreRefused)
{
    EXPECT_THAT(
        refusal(changed("hybrid.nccl.xml", "target=\"0000:90:00.0\"", "target=\"0000:91:00.0\"")),
        HasSubstr("t:9:11: error: target 0000:91:00.0 is neither a GPU of this file nor an "
                  "NVSwitch"));
    EXPECT_THAT(refusal(changed("hybrid.nccl.xml", "target=\"0000:1b:00.0\" count=\"4\"",
                                "target=\"0000:1b:00.0\" count=\"3\"")),
                HasSubstr("error: GPU 0 lists 4 links to GPU 1, which lists 3"));
}

TEST(NcclTopology, EntitiesAreNotExpandedAndDepthIsBounded)
{
    // A billion laughs: the name is left as it stands.
    const std::string bomb =
        "<!DOCTYPE system [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]>\n"
        "<system><cpu><pci busid=\"&b;\" class=\"0x030200\"/></cpu></system>";
    EXPECT_EQ(parse_topology("t", bomb, {}).inside.gpus, 1);
    std::string deep = "<system>";
    for (int i = 0; i < 100; ++i) {
        deep += "<pci busid=\"" + std::to_string(i) + "\">";
    }
    for (int i = 0; i < 100; ++i) {
        deep += "</pci>";
    }
    EXPECT_EQ(refusal(deep + "</system>"), "t: error: is nested deeper than 64 elements\n");
}

class NcclWritten : public WrittenFile
{
};

TEST_F(NcclWritten, WhatIsWrittenLoadsAndIsBuilt)
{
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.cable_latency = Time::of(100e-9);
    EXPECT_EQ(built(sample("nvswitch.nccl.xml"), parts).gpus.size(), 2U);
    parts.socket_link = {Bandwidth::of(62e9), Time::of(150e-9)};
    const auto cluster = loaded(sample("hybrid.nccl.xml"), parts);
    EXPECT_EQ(cluster.node.pcie.generation, 4);
    EXPECT_EQ(fabric::build(cluster).nics.size(), 2U);
    parts.socket_link.reset();
    parts.node_kind = "hgx";
    EXPECT_EQ(built(sample("cloud.nccl.xml"), parts).gpus.size(), 2U);
}

}  // namespace
}  // namespace sim::formats

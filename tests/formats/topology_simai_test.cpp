#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::HasSubstr;

/// One server of two GPUs on one switch; `links` is what the header says.
std::string small(const std::string& links, const std::string& lines)
{
    return "3 2 0 1 " + links + " H100\n2\n" + lines;
}

const std::string kTwoLinks = "0 2 400Gbps 500ns 0\n1 2 400Gbps 500ns 0\n";

TEST(SimaiTopology, VerticesAreGpusThenNvswitchesThenSwitches)
{
    // 9 vertices, 2 of them NVSwitches and 3 switches: 4 GPUs, two a server.
    const auto topology = sample("dual-tor.simai");
    EXPECT_EQ(topology.nodes, 2);
    EXPECT_EQ(topology.inside.gpus, 2);
    EXPECT_EQ(std::get<spec::HgxSpec>(*topology.inside.scale_up).planes, 1);
    EXPECT_EQ(topology.inside.nvlink, Bandwidth::of(3600e9 / 8));
    EXPECT_EQ(custom(topology).switches.size(), 3U);
    // 14 links less 4 of NVLink.
    EXPECT_EQ(cables(custom(topology)), 10);
}

TEST(SimaiTopology, APortOnEachOfTwoLeavesMakesANicOfBoth)
{
    const auto topology = sample("dual-tor.simai");
    EXPECT_EQ(topology.inside.nics, 2);
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(400e9 / 8));  // 2 x 200 Gb/s
    EXPECT_EQ(between(custom(topology), "server1/nic0", "switch6").at(0).bandwidth,
              Bandwidth::of(200e9 / 8));
}

TEST(SimaiTopology, NanosecondsAndMillisecondsAreTheSameTime)
{
    const auto topology = sample("dual-tor.simai");
    EXPECT_EQ(between(custom(topology), "server0/nic0", "switch6").at(0).latency,
              between(custom(topology), "server0/nic0", "switch7").at(0).latency);
}

TEST(SimaiTopology, ACountThatIsTooLowIsToldAndNoLinkDropped)
{
    // The header says 1, lines 3 and 4 list one each.
    const auto topology = parse_topology("t", small("1", kTwoLinks), {});
    EXPECT_EQ(cables(custom(topology)), 2);
    EXPECT_EQ(
        warnings(topology),
        R"(t:4:1: warning: the header says 1 links, 2 are listed; those from line 4 to 4 are read too
    4 | 1 2 400Gbps 500ns 0
      | ^
      = programs that believe the header drop them
)");
}

TEST(SimaiTopology, ACountThatIsTooHighIsACutOffFile)
{
    EXPECT_EQ(refusal(small("3", kTwoLinks)),
              "t:4: error: ends after 2 links, the header says 3\n"
              "    4 | 1 2 400Gbps 500ns 0\n"
              "      = the file may be cut off\n");
    EXPECT_EQ(refusal("3 2 0 1 2 H100\n"),
              "t:1: error: ends before its first link\n"
              "    1 | 3 2 0 1 2 H100\n"
              "      = the file has a header, a line of switch numbers and a line for each link\n");
}

TEST(SimaiTopology, EveryMistakeIsTold)
{
    EXPECT_EQ(refusal(small("2", "0 7 400Gbps 500ns 0\n1 2 400Gbps 500ns 2\n0 2\n")),
              R"(t:3:3: error: "7" is not a node
    3 | 0 7 400Gbps 500ns 0
      |   ^
      = nodes are 0 to 2
t:4:19: error: "2" is not an error rate
    4 | 1 2 400Gbps 500ns 2
      |                   ^
      = write a number from 0 to 1
t:5:1: error: has 2 words, a link has 5
    5 | 0 2
      | ^
      = write "src dst 400Gbps 0.0005ms 0"
)");
    const auto words = refusal(small("2", "1 2 400 500 0\n"));
    EXPECT_THAT(words, HasSubstr("t:3:5: error: \"400\" has no unit"));
    EXPECT_THAT(words, HasSubstr("t:3:9: error: \"500\" has no unit"));
}

TEST(SimaiTopology, AHeaderThatCannotBeIsRefused)
{
    EXPECT_EQ(refusal("3 2 0 3 2 H100\n2\n", {"simai", {}}),
              "t:1:1: error: 3 nodes of which 3 are switches leave no GPU\n"
              "    1 | 3 2 0 3 2 H100\n"
              "      | ^\n");
    EXPECT_THAT(refusal("4 2 0 1 2 H100\n3\n"), HasSubstr("3 GPUs are not whole servers of 2"));
    EXPECT_THAT(refusal("one two\n", {"simai", {}}), HasSubstr("t:1:1: error: is not a header"));
    EXPECT_THAT(refusal("3 2 0 1 2 H100\n1\n"),
                HasSubstr("t:2:1: error: \"1\" is not a switch number"));
    EXPECT_THAT(refusal("4 2 0 2 2 H100\n2\n"), HasSubstr("lists 1 switches, the header says 2"));
}

TEST(SimaiTopology, GpusWithoutACableAreCounted)
{
    EXPECT_EQ(refusal(small("1", "0 2 400Gbps 500ns 0\n")),
              "t: error: 1 of 2 GPUs have no cable to a switch\n");
}

TEST(HpccTopology, HostsComeFirst)
{
    // 4 vertices of which one is a switch; the third host's cable is slower.
    const auto topology = sample("incast.hpcc");
    EXPECT_EQ(topology.format, "HPCC topology");
    EXPECT_EQ(topology.nodes, 3);
    EXPECT_FALSE(topology.inside.gpus);
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(100e9 / 8));
    EXPECT_EQ(between(custom(topology), "host2/nic0", "switch3").at(0).bandwidth,
              Bandwidth::of(25e9 / 8));
    EXPECT_EQ(topology.cable_latency, Time::of(1e-6));
}

class SimaiWritten : public WrittenFile
{
};

TEST_F(SimaiWritten, WhatIsWrittenLoadsAndIsBuilt)
{
    const auto fabric = built(sample("dual-tor.simai"), all_parts());
    EXPECT_EQ(fabric.gpus.size(), 4U);
    EXPECT_EQ(fabric.nics.size(), 4U);

    auto parts = all_parts();
    parts.gpus_per_node = 1;
    EXPECT_EQ(built(sample("incast.hpcc"), parts).gpus.size(), 3U);
}

}  // namespace
}  // namespace sim::formats

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/infiniband_rate.hpp"
#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::HasSubstr;

TEST(InfinibandRate, IsLanesTimesTheDataOfALane)
{
    EXPECT_EQ(infiniband_rate("4xNDR"), Bandwidth::of(400e9 / 8));
    EXPECT_EQ(infiniband_rate("1xNDR"), Bandwidth::of(100e9 / 8));
    EXPECT_EQ(infiniband_rate("4xDDR"), Bandwidth::of(16e9 / 8));  // 5 Gb/s with 8b/10b: 4 a lane
    EXPECT_FALSE(infiniband_rate("4xABC"));
    EXPECT_FALSE(infiniband_rate("NDR"));
}

TEST(Ibnetdiscover, HostsAreGroupedByTheirDescription)
{
    // node01 and node02 have two adapters each; the fifth names no host, the sixth is a switch's.
    const auto topology = sample("two-leaves.ibnet");
    EXPECT_EQ(topology.nodes, 2);
    EXPECT_EQ(topology.inside.nics, 2);
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(400e9 / 8));
}

TEST(Ibnetdiscover, EachCableCountsOnceThoughBothEndsListIt)
{
    // Leaf 1: 2 hosts, 2 to spine 1, 2 to spine 2; leaf 2: 2 hosts and 1 to each spine. The two to
    // spine 1 have different rates, the two to spine 2 are one entry: 9 entries, 10 cables.
    const auto topology = sample("two-leaves.ibnet");
    EXPECT_EQ(custom(topology).switches.size(), 4U);
    EXPECT_EQ(custom(topology).links.size(), 9U);
    EXPECT_EQ(cables(custom(topology)), 10);
    EXPECT_EQ(between(custom(topology), "LEAF-1", "SPINE-2").at(0).cables, 2);
}

TEST(Ibnetdiscover, ADegradedLinkAmongEqualsKeepsItsRate)
{
    const auto topology = sample("two-leaves.ibnet");
    const auto pair = between(custom(topology), "LEAF-1", "SPINE-1");
    ASSERT_EQ(pair.size(), 2U);
    EXPECT_EQ(pair[0].bandwidth, Bandwidth::of(400e9 / 8));
    EXPECT_EQ(pair[1].bandwidth, Bandwidth::of(100e9 / 8));
    // node02's first port runs at half rate.
    EXPECT_EQ(between(custom(topology), "node02/nic0", "LEAF-1").at(0).bandwidth,
              Bandwidth::of(200e9 / 8));
}

TEST(Ibnetdiscover, TiersAreCountedFromTheHosts)
{
    const auto topology = sample("two-leaves.ibnet");
    const auto tier = tiers(custom(topology));
    EXPECT_EQ(tier.at("LEAF-1"), spec::Tier::leaf);
    EXPECT_EQ(tier.at("SPINE-2"), spec::Tier::spine);
}

TEST(Ibnetdiscover, WhatIsLeftOutIsCountedAndNamed)
{
    EXPECT_EQ(
        warnings(sample("two-leaves.ibnet")),
        R"(two-leaves.ibnet:49:1: warning: 1 aggregation node (H-c09) of the switches left out: they are not hosts
   49 | Ca	1 "H-c09"		# "Mellanox Technologies Aggregation Node"
      | ^
two-leaves.ibnet:46:1: warning: 1 adapter (H-c05) left out: the description does not say which host it is in
   46 | Ca	1 "H-c05"		# "MT4129 ConnectX7   Mellanox Technologies"
      | ^
      = set the node description on these machines and discover again
)");
}

TEST(Ibnetdiscover, ANetFileHasNoRates)
{
    // 3 hosts of one cable each and one cable between the switches.
    const auto topology = sample("three-hosts.net");
    EXPECT_EQ(topology.nodes, 3);
    EXPECT_EQ(cables(custom(topology)), 4);
    EXPECT_FALSE(topology.inside.nic);
    EXPECT_TRUE(topology.needs_link_bandwidth);
}

TEST(Ibnetdiscover, ACutOffFileIsRefused)
{
    const auto text = sample_text("three-hosts.net");
    EXPECT_EQ(refusal(text.substr(0, text.find("Hca\t2 \"Hca3\""))),
              R"(t:8:1: error: Hca3 is not described in this file
    8 | [1]	"Hca3"[1]
      | ^
      = the file may be cut off: discover the whole fabric
)");
    EXPECT_EQ(refusal("Ca\t1 \"H-c01\"\t# \"node01 mlx5_0\"\n"),
              R"(t: error: lists no cable between devices
      = the file may be cut off: give all that ibnetdiscover prints
)");
    EXPECT_EQ(refusal("Switch 8 \"Left\"\n[1]\t\"Hca"),
              R"(t:2:1: error: is cut off or not a port
    2 | [1]	"Hca
      | ^
      = write [1] "S-0002c9"[35], as ibnetdiscover does
)");
}

TEST(Ibnetdiscover, AGuidOfTwoDevicesIsRefused)
{
    EXPECT_EQ(refusal(changed("three-hosts.net", "Hca\t2 \"Hca2\"", "Hca\t2 \"Hca1\"")),
              R"(t:14:1: error: Hca1 is described twice, first in line 11
   14 | Hca	2 "Hca1"
      | ^
)");
}

TEST(Ibnetdiscover, EndsThatDisagreeAreRefused)
{
    EXPECT_EQ(refusal(changed("three-hosts.net", "\"Left\"[2]", "\"Left\"[1]")),
              R"(t:4:1: error: port 1 of Hca2 leads to port 1 of Left (line 15)
    4 | [2]	"Hca2"[1]
      | ^
t:15:1: error: port 1 of Left leads to port 1 of Hca1 (line 3)
   15 | [1]	"Left"[1]
      | ^
)");
    EXPECT_THAT(refusal(changed("two-leaves.ibnet", "lid 13 4xHDR", "lid 13 4xNDR")),
                HasSubstr("t:10:1: error: the two ends have different rates (line 41)"));
}

TEST(Ibnetdiscover, WhatItDoesNotKnowIsRefusedWhereItStands)
{
    EXPECT_EQ(refusal("Switch 8 \"Left\"\n[1]\t\"Hca1\"[1] # 4xFOO\ndo something\n"),
              R"(t:2:17: error: "4xFOO" is not a rate
    2 | [1]	"Hca1"[1] # 4xFOO
      |    	            ^
      = rates are lanes and speed, as 4xNDR
t:3:1: error: "do" starts no line of ibnetdiscover
    3 | do something
      | ^
      = its lines start with Switch, Ca, [port], vendid=, devid=, sysimgguid=, switchguid= or caguid=
)");
    EXPECT_THAT(refusal("Switch 8 \"Left\"\n[9] \"Hca1\"[1]\n"),
                HasSubstr("t:2:1: error: port 9 of Left, which has 8"));
}

class Ibnetdiscovered : public WrittenFile
{
};

TEST_F(Ibnetdiscovered, WhatIsWrittenLoadsAndIsBuilt)
{
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.gpus_per_node = 8;
    parts.node_kind = "hgx";
    parts.cable_latency = Time::of(100e-9);
    const auto fabric = built(sample("two-leaves.ibnet"), parts);
    EXPECT_EQ(fabric.gpus.size(), 16U);
    EXPECT_EQ(fabric.nics.size(), 4U);
    EXPECT_EQ(fabric.switches.at(0).count, 4);

    parts.link_bandwidth = Bandwidth::of(50e9);
    EXPECT_EQ(built(sample("three-hosts.net"), parts).nics.size(), 3U);
}

}  // namespace
}  // namespace sim::formats

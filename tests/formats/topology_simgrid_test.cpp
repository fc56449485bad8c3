#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::string zone(const std::string& inside)
{
    return "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n" + inside +
           "</zone></platform>\n";
}

TEST(SimgridCluster, TwoLevelsOfAFatTreeAreALeafSpine)
{
    // 4 hosts a leaf, 4 leaves, 2 spines, 2 cables of each pair: 4 down and 4 up.
    const auto topology = sample("fat-tree.simgrid.xml");
    const auto& spec = std::get<spec::LeafSpineSpec>(topology.network);
    EXPECT_EQ(topology.nodes, 16);
    EXPECT_EQ(spec.nodes_per_leaf, 4);
    EXPECT_EQ(spec.spines, 2);
    EXPECT_EQ(spec.oversubscription, 1);
    EXPECT_EQ(spec.uplink, Bandwidth::of(125e6));
    EXPECT_EQ(spec.leaf.max_ports, 8);
    EXPECT_EQ(spec.spine.max_ports, 8);
    EXPECT_EQ(topology.cable_latency, Time::of(50e-6));
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(125e6));
}

TEST(SimgridCluster, MoreLevelsAreListedCableByCable)
{
    // Down 2,2,2 and up 1,2,2: 4 switches of level 1 (one above two hosts), 2 x 2 of level 2 and
    // 1 x 4 of level 3; cables 8 + 4 x 2 + 4 x 2.
    const auto topology = sample("three-levels.simgrid.xml");
    EXPECT_EQ(topology.nodes, 8);
    EXPECT_EQ(custom(topology).switches.size(), 12U);
    EXPECT_EQ(cables(custom(topology)), 24);
    EXPECT_EQ(custom(topology).nodes.at(4).name, "n10");
    EXPECT_EQ(tiers(custom(topology)).at("level3-switch0"), spec::Tier::core);
}

TEST(SimgridCluster, ATorusHasItsFirstSideInnermost)
{
    const auto topology = sample("torus.simgrid.xml");
    const auto& torus = std::get<spec::TorusSpec>(topology.network);
    EXPECT_THAT(torus.sides, ElementsAre(2, 2, 3));
    EXPECT_EQ(torus.link, Bandwidth::of(10e9 / 8));
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(6 * 10e9 / 8));  // two links a side
    EXPECT_EQ(topology.cable_latency, Time::of(1e-6));
}

TEST(SimgridCluster, GroupsOfOneChassisAreADragonfly)
{
    // 3 groups of 3 routers with 2 hosts; 2 cables between groups: each router has one global port.
    const auto topology = sample("dragonfly.simgrid.xml");
    const auto& spec = std::get<spec::DragonflySpec>(topology.network);
    EXPECT_EQ(spec.groups, 3);
    EXPECT_EQ(spec.switches_per_group, 3);
    EXPECT_EQ(spec.nodes_per_switch, 2);
    EXPECT_EQ(spec.global_ports, 1);
    EXPECT_EQ(spec.global_link, Bandwidth::of(2e9));
    EXPECT_EQ(spec.local_link, Bandwidth::of(1e9));
}

TEST(SimgridCluster, GroupsOfSeveralChassisAreListed)
{
    // 2 groups of 2 x 2 routers with 2 hosts. A group has 2 pairs of a chassis (1 cable each) and 2
    // pairs of a place (3 each): 8; the groups are joined by 4; 16 hosts: 2 x 8 + 4 + 16.
    const auto topology = sample("chassis.simgrid.xml");
    EXPECT_EQ(custom(topology).switches.size(), 8U);
    EXPECT_EQ(cables(custom(topology)), 36);
    // Router 1 of group 0 leads to router 0 of group 1.
    EXPECT_EQ(
        between(custom(topology), "group0-chassis0-router1", "group1-chassis0-router0").size(), 1U);
}

TEST(SimgridCluster, AFlatOneIsASwitch)
{
    const auto topology = sample("flat.simgrid.xml");
    EXPECT_EQ(topology.nodes, 4);
    EXPECT_EQ(topology.device->max_ports, 4);
    EXPECT_EQ(topology.device->latency, Time{});
    EXPECT_TRUE(std::holds_alternative<spec::SingleSwitchSpec>(topology.network));
}

TEST(SimgridCluster, ShapesThatDoNotFitTheHostsAreRefused)
{
    EXPECT_EQ(refusal(changed("torus.simgrid.xml", "3,2,2", "3,2,3")),
              R"(t:6:31: error: 3,2,3 have places for 18 hosts, radical has 12
    6 |              topology="TORUS" topo_parameters="3,2,3"/>
      |                               ^
)");
    EXPECT_THAT(refusal(changed("fat-tree.simgrid.xml", "2;4,4;1,2;1,2", "3;4,4;1,2;1,2")),
                HasSubstr("t:6:34: error: is not a fat tree"));
    EXPECT_THAT(refusal(changed("fat-tree.simgrid.xml", "2;4,4;", "2;4,0;")),
                HasSubstr("\"0\" is not a number above 0"));
    EXPECT_THAT(refusal(changed("flat.simgrid.xml", "119-120", "101-102")),
                HasSubstr("t:5:32: error: names host 101 twice"));
    EXPECT_THAT(refusal(changed("flat.simgrid.xml", "119-120", "120-119")),
                HasSubstr("\"120-119\" is not a range of host numbers"));
}

TEST(SimgridCluster, WhatHasNoCounterpartIsRefused)
{
    EXPECT_THAT(refusal(changed("flat.simgrid.xml", "lat=", "bb_bw=\"1GBps\" lat=")),
                HasSubstr("a backbone that all hosts share has no counterpart"));
    EXPECT_THAT(refusal(changed("flat.simgrid.xml", "lat=", "sharing_policy=\"FATPIPE\" lat=")),
                HasSubstr("a FATPIPE is never full; no cable is like that"));
    EXPECT_THAT(refusal(changed("flat.simgrid.xml", "bw=\"125MBps\"", "bw=\"125\"")),
                HasSubstr("error: \"125\" has no unit"));
}

TEST(SimgridPlatform, RoutesOfOneLinkAreCables)
{
    // 3 hosts, 2 routers; 5 cables of which the one between hosts gets a switch in its middle.
    const auto topology = sample("dogbone.simgrid.xml");
    EXPECT_EQ(topology.nodes, 3);
    EXPECT_EQ(custom(topology).switches.size(), 3U);
    EXPECT_EQ(cables(custom(topology)), 6);
    const auto trunk = between(custom(topology), "R1", "R2");
    ASSERT_EQ(trunk.size(), 1U);
    EXPECT_EQ(trunk[0].bandwidth, Bandwidth::of(200e6));
    EXPECT_EQ(trunk[0].latency, Time::of(1e-3));
    EXPECT_EQ(between(custom(topology), "C1", "R2").at(0).bandwidth, Bandwidth::of(100e6));
    EXPECT_EQ(between(custom(topology), "S1", "link-5").at(0).latency, Time::of(2e-3));
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(150e6));  // S1 and S2: 100 + 50 MB/s
}

TEST(SimgridPlatform, WhatIsLeftOutIsCountedAndNamed)
{
    EXPECT_EQ(
        warnings(sample("dogbone.simgrid.xml")),
        R"(dogbone.simgrid.xml:22:5: warning: 1 routes of a host to itself left out: not part of a topology
   22 |     <route src="S1" dst="S1"><link_ctn id="5"/></route>
      |     ^
dogbone.simgrid.xml:11:5: warning: 1 link shared by both directions; cables of ours are full duplex
   11 |     <link id="2" bandwidth="200MBps" latency="1.0E-3s"/>
      |     ^
dogbone.simgrid.xml:15:5: warning: 1 link left out: no route shows what they join
   15 |     <link id="spare" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
      |     ^
dogbone.simgrid.xml: warning: 1 route of several links not written, but checked: routes are the shortest of the graph
)");
}

TEST(SimgridPlatform, AnUnknownEndIsRefused)
{
    EXPECT_EQ(
        refusal(changed("dogbone.simgrid.xml", "src=\"S2\" dst=\"R1\"", "src=\"S2\" dst=\"RR1\"")),
        R"(t:17:5: error: there is no host or router "RR1"
   17 |     <route src="S2" dst="RR1"><link_ctn id="4"/></route>
      |     ^
      = did you mean "R1"?
)");
    EXPECT_THAT(
        refusal(changed("dogbone.simgrid.xml", "<link_ctn id=\"4\"/>", "<link_ctn id=\"44\"/>")),
        HasSubstr("t:17:40: error: there is no link \"44\" above"));
}

TEST(SimgridPlatform, ALinkThatManyShareHasNoCounterpart)
{
    EXPECT_EQ(
        refusal(changed("dogbone.simgrid.xml", "<link_ctn id=\"4\"/>", "<link_ctn id=\"1\"/>")),
        R"(t:17:5: error: link 1 joins S2 to R1 here, and S1 to R1 in line 16
   17 |     <route src="S2" dst="R1"><link_ctn id="1"/></route>
      |     ^
      = a cable has two ends; a link that many share has no counterpart
)");
}

TEST(SimgridPlatform, ALongRouteMustWalkOverCables)
{
    EXPECT_THAT(refusal(changed("dogbone.simgrid.xml", "<link_ctn id=\"1\"/><link_ctn id=\"2\"/>",
                                "<link_ctn id=\"2\"/>")),
                HasSubstr("t:21:5: error: link 2 does not start at S1: no route of that link alone "
                          "says so"));
}

TEST(SimgridPlatform, OneWayAndFatpipesAndOtherRoutingsAreRefused)
{
    EXPECT_THAT(
        refusal(changed("dogbone.simgrid.xml", "dst=\"R2\">", "dst=\"R2\" symmetrical=\"NO\">")),
        HasSubstr("t:18:5: error: link 2 leads one way only, from R1 to R2"));
    EXPECT_THAT(refusal(changed("dogbone.simgrid.xml", "latency=\"1.0E-3s\"",
                                "latency=\"1.0E-3s\" sharing_policy=\"FATPIPE\"")),
                HasSubstr("t:11:5: error: link 2 is a FATPIPE"));
    EXPECT_THAT(refusal(changed("dogbone.simgrid.xml", "\"Full\"", "\"Vivaldi\"")),
                HasSubstr("t:4:20: error: zones with routing \"Vivaldi\" are not read"));
    EXPECT_THAT(refusal(zone("<peer id=\"p\"/>\n<host id=\"h\"/>")),
                HasSubstr("t:2:1: error: <peer> is not read"));
    EXPECT_THAT(refusal(zone("<host id=\"h\"/>")), HasSubstr("t:2:1: error: host h has no link"));
    EXPECT_EQ(refusal(zone("")), "t: error: describes no host\n");
}

TEST(SimgridPlatform, FlatClustersCanBeJoinedByLinks)
{
    const auto topology = parse_topology(
        "t",
        zone("<cluster id=\"a\" prefix=\"a\" suffix=\"\" radical=\"0-2\" bw=\"1GBps\" "
             "lat=\"1us\"/>\n"
             "<cluster id=\"b\" prefix=\"b\" suffix=\"\" radical=\"0-1\" bw=\"1GBps\" "
             "lat=\"1us\"/>\n"
             "<link id=\"l\" bandwidth=\"2GBps\" latency=\"5us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
             "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"aa_router\" gw_dst=\"bb_router\">"
             "<link_ctn id=\"l\"/></zoneRoute>\n"),
        {});
    EXPECT_EQ(topology.nodes, 5);
    EXPECT_EQ(cables(custom(topology)), 6);
    EXPECT_TRUE(topology.warnings.empty());
}

class SimgridWritten : public WrittenFile
{
};

TEST_F(SimgridWritten, WhatIsWrittenLoadsAndIsBuilt)
{
    auto parts = all_parts();
    parts.gpus_per_node = 1;
    for (const auto& [name, hosts] : std::map<std::string, std::size_t>{{"fat-tree", 16},
                                                                        {"three-levels", 8},
                                                                        {"torus", 12},
                                                                        {"dragonfly", 18},
                                                                        {"chassis", 16},
                                                                        {"flat", 4},
                                                                        {"dogbone", 3}}) {
        EXPECT_EQ(built(sample(name + ".simgrid.xml"), parts).nics.size(), hosts) << name;
    }
}

}  // namespace
}  // namespace sim::formats

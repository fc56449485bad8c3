#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::HasSubstr;

TEST(SlurmTopology, SwitchesAndHostListsMakeATree)
{
    // 3 nodes on leaf1, 3 on leaf2, a cable each, and one from each leaf to the core.
    const auto topology = sample("tree.slurm");
    EXPECT_EQ(topology.nodes, 6);
    EXPECT_EQ(custom(topology).switches.size(), 3U);
    EXPECT_EQ(cables(custom(topology)), 8);
    EXPECT_EQ(tiers(custom(topology)).at("core"), spec::Tier::spine);
    EXPECT_EQ(custom(topology).nodes.back().name, "login");
}

TEST(SlurmTopology, BlocksAndLinkSpeedsAreTold)
{
    EXPECT_EQ(
        warnings(sample("tree.slurm")),
        R"(tree.slurm:3:35: warning: LinkSpeed has no unit and Slurm itself does not use it; bandwidths are those of the options
    3 | SwitchName=leaf1 Nodes=srv[01-03] LinkSpeed=400
      |                                   ^
tree.slurm:5:1: warning: 2 block lines left out: they say how to schedule, not what is cabled
    5 | BlockName=b1 Nodes=srv[01-03]
      | ^
)");
}

TEST(SlurmTopology, EveryMistakeIsToldWhereItStands)
{
    EXPECT_EQ(refusal("SwitchName=a Nodes=n[1-\nSwitchName=b Node=n1\nFoo=1\nSwitchName=b\n bar\n"),
              R"(t:1:14: error: "n[1-" is not a host list
    1 | SwitchName=a Nodes=n[1-
      |              ^
      = write names and ranges, as node[1-8,12],login1
t:2:14: error: unknown key "node"
    2 | SwitchName=b Node=n1
      |              ^
      = write SwitchName, Nodes, Switches or LinkSpeed
t:3:1: error: "Foo" starts no line of topology.conf
    3 | Foo=1
      | ^
      = write SwitchName=leaf1 Nodes=node[1-8]
t:4:1: error: switch b is described twice, first in line 2
    4 | SwitchName=b
      | ^
t:5:2: error: "bar" is not KEY=VALUE
    5 |  bar
      |  ^
)");
}

TEST(SlurmTopology, ATreeThatIsNoneIsRefused)
{
    EXPECT_THAT(refusal("SwitchName=a Switches=b\n"),
                HasSubstr("t:1:1: error: a has below it the switch b, which is not described"));
    EXPECT_THAT(refusal("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\n"),
                HasSubstr("t:2:1: error: n1 is below a and b"));
    EXPECT_THAT(refusal("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n"),
                HasSubstr("t:2:1: error: a and b are both on top, and nothing joins them"));
    EXPECT_EQ(refusal("SwitchName=a Switches=b Nodes=n\nSwitchName=b Switches=a\n"),
              "t: error: every switch is below another one: they are in a circle\n");
    EXPECT_EQ(refusal("SwitchName=a\n"), "t: error: lists no node\n");
    EXPECT_EQ(refusal("BlockName=b Nodes=n[1-4]\n"),
              "t: error: has blocks of nodes but no switches\n"
              "      = write SwitchName=leaf1 Nodes=node[1-8]\n");
}

TEST(Topograph, SwitchesAndBlocksMakeATree)
{
    // Nodes 1, 2, 5 on leaf1 and 8, 9 on leaf2; 5 cables to nodes, 2 to the core.
    const auto topology = sample("tree.topograph.yaml");
    EXPECT_EQ(topology.nodes, 5);
    EXPECT_EQ(cables(custom(topology)), 7);
    EXPECT_THAT(warnings(topology), HasSubstr(":3:5: warning: 2 labels left out"));
}

TEST(Topograph, MistakesAreToldWhereTheyStand)
{
    EXPECT_EQ(refusal("switches:\n  a: { swiches: [b] }\nblocks:\n- switch: a\n"),
              R"(t:2:8: error: unknown key "swiches"
    2 |   a: { swiches: [b] }
      |        ^
t:4:3: error: a block needs a switch and nodes
    4 | - switch: a
      |   ^
)");
    EXPECT_THAT(refusal("switches: [\n"), HasSubstr("t:2:1: error: is not YAML: "));
}

class TreeWritten : public WrittenFile
{
};

TEST_F(TreeWritten, WhatIsWrittenLoadsAndIsBuilt)
{
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.gpus_per_node = 2;
    parts.nics_per_node = 1;
    parts.node_kind = "pcie";
    parts.cable_latency = Time::of(100e-9);
    parts.link_bandwidth = Bandwidth::of(100e9);
    EXPECT_EQ(built(sample("tree.slurm"), parts).gpus.size(), 12U);
    EXPECT_EQ(built(sample("tree.topograph.yaml"), parts).gpus.size(), 10U);
}

}  // namespace
}  // namespace sim::formats

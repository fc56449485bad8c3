#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

const TopologyReading kEachANode{{}, 0};
const TopologyReading kFirstInside{{}, 1};
constexpr double kGigabyte = 1073741824;  // 2^30, as ASTRA-sim's analytical network has it

TEST(AstraNetwork, EqualRingsAreATorusWhoseLastSideIsInnermost)
{
    const auto topology = sample("torus.astra.yml", kEachANode);
    const auto& torus = std::get<spec::TorusSpec>(topology.network);
    EXPECT_EQ(topology.nodes, 12);
    EXPECT_THAT(torus.sides, ElementsAre(3, 4));
    EXPECT_EQ(torus.link, Bandwidth::of(50 * kGigabyte));
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(200 * kGigabyte));  // two links a ring
    EXPECT_EQ(topology.cable_latency, Time::of(500e-9));
}

TEST(AstraNetwork, MixedDimensionsAreListedWithARouterAnNpu)
{
    // 8 NPUs with a router each; 2 rings of 4 cables; 4 switches of the second dimension with 2
    // NPUs each: 8 + 8 + 8 cables, 8 + 4 switches.
    const auto topology = sample("ring-and-switch.astra.yml", kEachANode);
    EXPECT_EQ(topology.nodes, 8);
    EXPECT_EQ(custom(topology).switches.size(), 12U);
    EXPECT_EQ(cables(custom(topology)), 24);
    const auto ring = between(custom(topology), "router0-0", "router3-0");
    ASSERT_EQ(ring.size(), 1U);
    EXPECT_EQ(ring[0].bandwidth, Bandwidth::of(50 * kGigabyte));
    // NPU 1's line of dimension 1 starts at itself: NPUs 1 and 5.
    const auto up = between(custom(topology), "router5-0", "dimension1-switch1-0");
    ASSERT_EQ(up.size(), 1U);
    EXPECT_EQ(up[0].latency, Time::of(1e-6));
}

TEST(AstraNetwork, TheFirstDimensionCanBeTheNode)
{
    // Two nodes of a ring of 4; NPU k of each on its own switch: 8 cables, 4 switches.
    const auto topology = sample("ring-and-switch.astra.yml", kFirstInside);
    EXPECT_EQ(topology.nodes, 2);
    EXPECT_EQ(topology.inside.gpus, 4);
    EXPECT_EQ(std::get<spec::MeshSpec>(*topology.inside.scale_up).pairs.size(), 4U);
    EXPECT_EQ(topology.inside.nvlink, Bandwidth::of(100 * kGigabyte));
    EXPECT_EQ(cables(custom(topology)), 8);
    EXPECT_EQ(custom(topology).switches.size(), 4U);
}

TEST(AstraNetwork, WhichDimensionIsInsideANodeMustBeSaid)
{
    EXPECT_EQ(refusal(sample_text("torus.astra.yml")),
              "t: error: does not say which NPUs are in one node\n"
              "      = add --node-dimensions 1 when the 4 NPUs of dimension 0 are, or "
              "--node-dimensions 0 when each NPU is a node\n");
}

TEST(AstraNetwork, TheFirstVersionIsJsonWithOtherKeys)
{
    const auto topology = sample("switch.astra.json", kEachANode);
    EXPECT_EQ(topology.nodes, 4);
    EXPECT_TRUE(std::holds_alternative<spec::SingleSwitchSpec>(topology.network));
    EXPECT_EQ(topology.inside.nic, Bandwidth::of(25 * kGigabyte));
    EXPECT_THAT(warnings(topology),
                HasSubstr(":3:2: warning: dimensions-count, router-latency left out"));
}

TEST(AstraNetwork, PlaceholdersAreRefusedOneByOne)
{
    EXPECT_EQ(refusal(changed("torus.astra.yml", "[ 50.0, 50.0 ]", "[ tbd, 50.0 ]"), kEachANode),
              R"(t:3:14: error: "tbd" is not a number
    3 | bandwidth: [ tbd, 50.0 ]
      |              ^
      = it is a placeholder: write the measured value
)");
}

TEST(AstraNetwork, ListsOfDifferentLengthsAreRefused)
{
    EXPECT_EQ(refusal(changed("torus.astra.yml", "[ 500, 500 ]", "[ 500 ]"), kEachANode),
              R"(t:1:1: error: topology has 2 entries, npus_count 2, bandwidth 2 and latency 1
    1 | topology: [ Ring, Ring ]
      | ^
      = write one of each a dimension
)");
}

TEST(AstraNetwork, ALatencyOfAFewNanosecondsIsDoubted)
{
    const auto topology = parse_topology(
        "t", changed("torus.astra.yml", "[ 500, 500 ]", "[ 3.39, 3.39 ]"), kEachANode);
    EXPECT_THAT(warnings(topology), HasSubstr("t:4:12: warning: 3.39 is read as nanoseconds"));
}

TEST(AstraNetwork, UnknownWordsKeysAndFlavoursAreRefused)
{
    EXPECT_EQ(refusal("topology: [ Rong ]\nnpus_count: [ 1 ]\nbandwidth: [ 1 ]\nlatency: [ 20 ]\n"
                      "color: red\n",
                      kEachANode),
              R"(t:1:13: error: "Rong" is no topology
    1 | topology: [ Rong ]
      |             ^
      = did you mean "Ring"?
t:2:15: error: "1" is not a number of NPUs
    2 | npus_count: [ 1 ]
      |               ^
      = a dimension has at least 2
t:5:1: error: unknown key "color"
    5 | color: red
      | ^
)");
    EXPECT_THAT(refusal("{ \"logical-dims\": [\"8\"] }", {"astra-sim", 0}),
                HasSubstr("logical-dims name no links"));
    EXPECT_THAT(refusal("num-npus: 8\n"), HasSubstr("is a Garnet network, which is not read"));
}

TEST(AstraNetwork, ASecondDocumentIsNotDropped)
{
    EXPECT_EQ(
        refusal("# one\n---\ntopology: [ Ring ]\n---\ntopology: [ Switch ]\n", {"astra-sim", 0}),
        "t:4:1: error: begins a second document, and a file is one network\n"
        "    4 | ---\n"
        "      | ^\n"
        "      = split the file\n");
}

class AstraWritten : public WrittenFile
{
};

TEST_F(AstraWritten, WhatIsWrittenLoadsAndIsBuilt)
{
    EXPECT_EQ(built(sample("torus.astra.yml", kEachANode), all_parts()).gpus.size(), 12U);
    EXPECT_EQ(built(sample("ring-and-switch.astra.yml", kEachANode), all_parts()).gpus.size(), 8U);
    EXPECT_EQ(built(sample("ring-and-switch.astra.yml", kFirstInside), all_parts()).nics.size(),
              8U);
    EXPECT_EQ(built(sample("switch.astra.json", kEachANode), all_parts()).nics.size(), 4U);
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.nics_per_node = 4;
    parts.cable_latency = Time::of(100e-9);
    EXPECT_EQ(built(sample("switch.astra.json", kFirstInside), parts).gpus.size(), 4U);
}

}  // namespace
}  // namespace sim::formats

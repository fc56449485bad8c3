#include "formats/topology_write.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/topology_fixture.hpp"

namespace sim::formats
{
namespace
{

using testing::HasSubstr;

std::string complaints(const Topology& topology, const TopologyParts& parts)
{
    try {
        (void)write_topology(topology, parts, "t");
    } catch (const InputError& error) {
        return error.what();
    }
    return "written";
}

TEST(WriteTopology, EverythingAFileDoesNotSayIsAskedForAtOnce)
{
    EXPECT_EQ(complaints(sample("tree.slurm"), {}),
              R"(t: error: does not say how many GPUs a node has
      = add --gpus-per-node 8, or what it is
t: error: does not say how many network ports a node has
      = add --nics-per-node 8, or what it is
t: error: does not say how the GPUs of a node are joined
      = add --node-kind hgx, or what it is
t: error: does not say which GPUs they are
      = add --gpu h100-sxm, or what it is
t: error: does not say how efficient and quick the links between GPUs are
      = add --nvlink nvlink4-h100, or what it is
t: error: does not say how efficient and quick PCIe is
      = add --pcie gen5-x16, or what it is
t: error: does not say how efficient and quick the network ports are
      = add --nic connectx-7, or what it is
t: error: does not say which collective library runs on it
      = add --collective nccl, or what it is
t: error: does not say which switches they are
      = add --switch 51.2t, or what it is
t: error: does not say how long signals take through a cable
      = add --cable-latency "100 ns", or what it is
t: error: does not say how fast the cables between switches are
      = add --link-bandwidth "400 Gbps", or what it is
)");
}

TEST(WriteTopology, AnOptionThatContradictsTheFileIsRefused)
{
    auto parts = all_parts();
    parts.gpus_per_node = 8;
    parts.nic_bandwidth = Bandwidth::of(100e9);
    parts.node_kind = "hgx";
    parts.cable_latency = Time::of(1e-6);
    parts.link_bandwidth = Bandwidth::of(100e9);
    EXPECT_EQ(complaints(sample("dual-tor.simai"), parts),
              R"(t: error: says 2, --gpus-per-node says 8
      = leave --gpus-per-node out
t: error: says itself how the GPUs of a node are joined
      = leave --node-kind out
t: error: says 400 Gbps, --nic-bandwidth says 800 Gbps
      = leave --nic-bandwidth out
t: error: says 500 ns, --cable-latency says 1 us
      = leave --cable-latency out
t: error: says itself how fast its links are
      = leave --link-bandwidth out
)");
}

TEST(WriteTopology, SocketsWithoutALinkAreTold)
{
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.cable_latency = Time::of(100e-9);
    const auto written = write_topology(sample("four-gpus.nvsmi"), parts, "t");
    EXPECT_EQ(
        render(written.warnings),
        "t: warning: its CPU sockets are not written: it does not say what joins them\n"
        "      = add --socket-bandwidth \"62 GB/s\" --socket-latency \"150 ns\", or what they "
        "are\n");
}

TEST(WriteTopology, NumbersOfTheFileNameItAsTheirSource)
{
    const auto written = write_topology(sample("dual-tor.simai"), all_parts(), "dual-tor.simai");
    EXPECT_THAT(written.yaml,
                HasSubstr("  bandwidth: { value: 400 Gbps, source: \"dual-tor.simai\" }\n"));
    EXPECT_THAT(written.yaml, HasSubstr("# From dual-tor.simai, SimAI topology; written by weftsim "
                                        "import topology.\n"));
}

TEST(WriteTopology, NamesCannotBreakTheFile)
{
    auto topology = sample("tree.slurm");
    topology.name = "a\"b\\c\n: d";
    auto parts = all_parts();
    parts.device = "25.6t";
    parts.gpus_per_node = 1;
    parts.nics_per_node = 1;
    parts.cable_latency = Time::of(100e-9);
    parts.link_bandwidth = Bandwidth::of(100e9);
    const auto yaml = write_topology(topology, parts, "t\nx").yaml;
    EXPECT_THAT(yaml, testing::StartsWith("# From t x, Slurm topology.conf; "));
    EXPECT_THAT(yaml, HasSubstr("\nname: \"a\\\"b\\\\c\\x0a: d\"\n"));
}

TEST(ReadTopology, WhatHasNoKnownFormatIsRefused)
{
    EXPECT_EQ(refusal(""), "t: error: is empty\n");
    EXPECT_EQ(refusal(" \n\t\r\n"), "t: error: is empty\n");
    EXPECT_EQ(refusal("hello\n"),
              "t: error: is of no format that is known\n"
              "      = name it: --kind nccl, nvidia-smi, ibnetdiscover, simgrid, simai, astra-sim, "
              "slurm, topograph\n");
    EXPECT_EQ(
        refusal("x", {"simgird", {}}),
        "t: error: --kind \"simgird\" is not one of nccl, nvidia-smi, ibnetdiscover, simgrid, "
        "simai, astra-sim, slurm, topograph\n      = did you mean \"simgrid\"?\n");
}

TEST(ReadTopology, FiftyMistakesAreToldAndTheRestCounted)
{
    std::string text = "3 2 0 1 60 H100\n2\n";
    for (int i = 0; i < 60; ++i) {
        text += "0 2 400Gbps 500ns\n";
    }
    const auto words = refusal(text);
    EXPECT_THAT(words, HasSubstr("t:52:1: error: has 4 words, a link has 5"));
    EXPECT_THAT(words, testing::Not(HasSubstr("t:53:1")));
    EXPECT_THAT(words, HasSubstr("t: error: and 10 more errors"));
}

}  // namespace
}  // namespace sim::formats

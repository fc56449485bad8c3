#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/fixture.hpp"

namespace sim::config
{
namespace
{

using testing::ElementsAre;

/// A switch of every kind of network, for the keys that need one.
constexpr auto* kSwitch = "{ name: S, capacity: 51.2 Tbps, max_ports: 128, latency: 700 ns }";

class NetworkFile : public InFolder
{
protected:
    /// The good machine with another `fabric`, and lines of its own at the end.
    [[nodiscard]] static spec::ClusterSpec load(const std::string& fabric,
                                                const std::string& more = {}, int nodes = 2)
    {
        prepare(fabric, more);
        return load_experiment("run.yaml", {{"cluster.nodes", std::to_string(nodes)}}).spec.cluster;
    }

    static void prepare(const std::string& fabric, const std::string& more = {})
    {
        write_good();
        std::ifstream in{"cluster.yaml"};
        std::string text{std::istreambuf_iterator<char>{in}, {}};
        const auto begin = text.find("fabric:\n");
        const auto end = text.find("collective:");
        text.replace(begin, end - begin, "fabric:\n" + fabric + "  cable_latency: 100 ns\n");
        write("cluster.yaml", text + more);
    }

    [[nodiscard]] static std::string with(const std::string& keys)
    {
        return "  switch: " + std::string{kSwitch} + "\n" + keys;
    }
    [[nodiscard]] static std::string clos(const std::string& keys)
    {
        return "  leaf: " + std::string{kSwitch} + "\n  spine: " + kSwitch + "\n" + keys;
    }
};

TEST_F(NetworkFile, AFatTreeHasARadixAndItsTiers)
{
    const auto cluster = load(clos("  kind: fat_tree\n  radix: 8\n  tiers: 3\n"
                                   "  oversubscription: 1\n  spine_oversubscription: 3\n"
                                   "  core: ") +
                              kSwitch + "\n");
    const auto& tree = std::get<spec::FatTreeSpec>(cluster.fabric.network);
    EXPECT_EQ(tree.radix, 8);
    EXPECT_EQ(tree.clos.tiers, 3);
    EXPECT_EQ(tree.clos.spine_oversubscription, 3);
    EXPECT_EQ(tree.clos.core.max_ports, 128);
}

TEST_F(NetworkFile, RailsAndPlanesSayHowTheirLeavesAreJoined)
{
    const auto rails =
        load(clos("  kind: rail_optimised\n  nodes_per_block: 2\n"
                  "  oversubscription: 1\n  cross_rail: false\n"));
    EXPECT_FALSE(std::get<spec::RailOptimisedSpec>(rails.fabric.network).cross_rail);
    const auto planes =
        load(clos("  kind: multi_plane\n  planes: 2\n  joined: true\n"
                  "  nodes_per_leaf: 2\n  oversubscription: 1\n"));
    EXPECT_TRUE(std::get<spec::MultiPlaneSpec>(planes.fabric.network).joined);
}

TEST_F(NetworkFile, ATorusHasSidesAndMayNotWrap)
{
    const auto cluster =
        load(with("  kind: torus\n  sides: [2, 1]\n  wrap: [false, true]\n  link: 800 Gbps\n"));
    const auto& torus = std::get<spec::TorusSpec>(cluster.fabric.network);
    EXPECT_THAT(torus.sides, ElementsAre(2, 1));
    EXPECT_THAT(torus.wrap, ElementsAre(false, true));
    EXPECT_EQ(torus.link, Bandwidth::of(100e9));
}

TEST_F(NetworkFile, ADragonflyLeavesItsGroupsOpen)
{
    const auto cluster =
        load(with("  kind: dragonfly\n  nodes_per_switch: 1\n"
                  "  switches_per_group: 2\n  global_ports: 1\n"));
    const auto& dragonfly = std::get<spec::DragonflySpec>(cluster.fabric.network);
    EXPECT_EQ(dragonfly.switches_per_group, 2);
    EXPECT_FALSE(dragonfly.groups.has_value());
}

TEST_F(NetworkFile, ACustomGraphListsNodesOfUnequalSize)
{
    const auto cluster =
        load(with("  kind: custom\n"
                  "  nodes: [{ name: small, gpus: 4 }, { name: big, gpus: 12 }]\n"
                  "  switches: [{ name: top }]\n"
                  "  links:\n"
                  "    - { from: small, to: top }\n"
                  "    - { from: big, to: top, bandwidth: 800 Gbps, cables: 2 }\n"),
             {}, 2);
    EXPECT_EQ(spec::gpu_count(cluster), 16);
    EXPECT_EQ(spec::node_of(cluster, 1).gpus, 12);
    const auto& custom = std::get<spec::CustomSpec>(cluster.fabric.network);
    EXPECT_EQ(custom.links.at(1).bandwidth, Bandwidth::of(100e9));
    EXPECT_EQ(custom.links.at(1).cables, 2);
}

TEST_F(NetworkFile, AMistakeInAListIsShownWhereItStands)
{
    prepare(
        with("  kind: custom\n"
             "  switches: [{ name: top }]\n"
             "  links:\n"
             "    - { from: a, too: top }\n"));
    const auto words = complaint("run.yaml");
    EXPECT_THAT(words, testing::HasSubstr("cluster.yaml:25:18: error: "
                                          "cluster.fabric.links.0.too: unknown key"));
    EXPECT_THAT(words, testing::HasSubstr("did you mean \"to\"?"));
}

TEST_F(NetworkFile, AnUnknownKindIsAnsweredWithTheNearestOneAlone)
{
    prepare("  kind: leaf_spin\n  nodes_per_leaf: 1\n");
    const auto words = complaint("run.yaml");
    EXPECT_THAT(words, testing::HasSubstr("cluster.fabric.kind: \"leaf_spin\" is not one of"));
    EXPECT_THAT(words, testing::HasSubstr("did you mean \"leaf_spine\"?"));
    EXPECT_THAT(words, testing::Not(testing::HasSubstr("unknown key")));
}

TEST_F(NetworkFile, PricesAndPowersAreOptional)
{
    const auto cluster = load(
        "  switch: { name: S, capacity: 51.2 Tbps, max_ports: 128, latency: 700 ns, "
        "price: 40 kUSD, power: 1.5 kW }\n"
        "  kind: single_switch\n  cable: { price: 300 USD }\n");
    const auto& hub = std::get<spec::SingleSwitchSpec>(cluster.fabric.network).device;
    EXPECT_EQ(hub.upkeep.price, Money::of(40e3));
    EXPECT_EQ(hub.upkeep.power, Power::of(1500));
    EXPECT_EQ(cluster.fabric.cable.price, Money::of(300));
    EXPECT_FALSE(cluster.fabric.cable.power.has_value());
}

TEST_F(NetworkFile, ANodeSaysHowItsGpusAndSocketsAreJoined)
{
    const auto hub = with("  kind: single_switch\n");
    const auto planes = load(hub, "node: { kind: hgx, planes: 4 }\n");
    EXPECT_EQ(std::get<spec::HgxSpec>(planes.node.scale_up).planes, 4);
    const auto mesh = load(hub,
                           "node:\n  kind: mesh\n  links_per_gpu: 3\n"
                           "  pairs: [{ gpus: [0, 1], links: 2 }, { gpus: [1, 2] }]\n"
                           "host: { sockets: 2, socket_link: { bandwidth: 62 GB/s, latency: 1 us } "
                           "}\n");
    const auto& pairs = std::get<spec::MeshSpec>(mesh.node.scale_up).pairs;
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].links, 2);
    EXPECT_THAT(pairs[1].gpus, ElementsAre(1, 2));
    EXPECT_THAT(mesh.node.host.socket_of_gpu, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(mesh.node.host.socket_of_nic, ElementsAre(0, 1));
}

}  // namespace
}  // namespace sim::config

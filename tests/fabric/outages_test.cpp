#include "fabric/outages.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

using namespace literals;

/// Two nodes on each of two leaves under two spines.
spec::ClusterSpec two_paths()
{
    auto cluster = test::bare_cluster(4, 1);
    auto& network = cluster.fabric.network.emplace<spec::LeafSpineSpec>();
    network.nodes_per_leaf = 2;
    network.spines = 2;
    network.leaf = network.spine = test::ample_switch();
    return cluster;
}

std::string name(const Fabric& fabric, LinkId link)
{
    return fabric.graph.links()[link.index()].name;
}

TEST(Outages, ALinkTakesTheOtherDirectionOfItsCableWithIt)
{
    const auto fabric = build(two_paths());
    const auto times = dead_times(fabric, {{"spine0->leaf1", 2_s, 3_s}});
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(Graph::reverse(times[0].link), times[1].link);
    for (const auto& time : times) {
        EXPECT_TRUE(name(fabric, time.link) == "spine0->leaf1" ||
                    name(fabric, time.link) == "leaf1->spine0");
        EXPECT_EQ(time.from, 2_s);
        EXPECT_EQ(time.until, 3_s);
    }
}

TEST(Outages, ASwitchTakesAllItsCablesAndOverlappingTimesJoin)
{
    const auto fabric = build(two_paths());
    const auto times = dead_times(fabric, {{"spine0", 2_s, 4_s}, {"leaf0->spine0", 3_s, 6_s}});
    // Two cables of two directions; that to leaf 0 is dead until the later end.
    ASSERT_EQ(times.size(), 4U);
    for (const auto& time : times) {
        const bool longer = name(fabric, time.link).find("leaf0") != std::string::npos;
        EXPECT_EQ(time.from, 2_s);
        EXPECT_EQ(time.until, longer ? 6_s : 4_s);
    }
}

TEST(Outages, RoutingKnowsOfDeathAndReturnAfterItsConvergence)
{
    const auto fabric = build(two_paths());
    const auto times = dead_times(fabric, {{"spine0", 2_s, 4_s}});
    const auto epochs = routing_epochs(fabric, times, 1_s);
    ASSERT_EQ(epochs.size(), 2U);
    EXPECT_EQ(epochs[0].at, 3_s);
    EXPECT_EQ(epochs[1].at, 5_s);
    EXPECT_EQ(std::count(epochs[0].dead.begin(), epochs[0].dead.end(), 1), 4);
    EXPECT_EQ(std::count(epochs[1].dead.begin(), epochs[1].dead.end(), 1), 0);
    // What is over before it is known changes nothing.
    EXPECT_TRUE(routing_epochs(fabric, times, 2_s).empty());
}

TEST(Outages, ANicThatIsCutOffIsNamed)
{
    const auto fabric = build(two_paths());
    const auto check = [&](const spec::Outage& outage) {
        expect_connected(fabric, routing_epochs(fabric, dead_times(fabric, {outage}), 1_s));
    };
    check({"spine0", 2_s, {}});  // the other spine is left
    try {
        check({"node2/nic0", 2_s, {}});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "cut off node2/nic0 from 3 s on: no way to the others is left");
    }
    EXPECT_THROW(check({"leaf1", 2_s, {}}), InputError);
    check({"leaf1", 2_s, 2.5_s});  // over before routing knows
}

TEST(Outages, APartThatIsNotThereIsNamedWithWhatIsNearest)
{
    const auto fabric = build(two_paths());
    try {
        (void)dead_times(fabric, {{"spine1", 1_s, {}}, {"spin0", 1_s, {}}});
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(error.diagnostics()[0].key, "cluster.outages.1.part");
        EXPECT_EQ(error.diagnostics()[0].message, "the network has no \"spin0\"");
        EXPECT_EQ(error.diagnostics()[0].hint, "did you mean \"spine0\"?");
    }
}

}  // namespace
}  // namespace sim::fabric

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;

Schedule plan(const test::Machine& machine, Kind kind, Bytes size,
              const std::vector<GpuId>& members, Algorithm algorithm)
{
    return machine.planner().plan(
        {.kind = kind, .size = size, .members = members, .algorithm = algorithm, .hops = true});
}

/// Hops of a tree's flow in their order: up the chains, per half up and down its tree, down the
/// chains.
void expect_tree_reduces(const Flow& flow, const std::vector<GpuId>& members, std::size_t nodes)
{
    std::map<GpuId, std::set<GpuId>> holds[2];
    for (const auto gpu : members) {
        holds[0][gpu] = holds[1][gpu] = {gpu};
    }
    const auto pass = [&](const Hop& hop, std::size_t half, bool up) {
        const auto& sent = holds[half][hop.from];
        auto& held = holds[half][hop.to];
        up ? held.insert(sent.begin(), sent.end()) : void(held = sent);
    };
    const auto chains = members.size() - nodes;
    ASSERT_EQ(flow.hops.size(), 2 * chains + 4 * (nodes - 1));
    for (std::size_t i = 0; i < flow.hops.size(); ++i) {
        const auto& hop = flow.hops[i];
        for (const auto before : hop.waits) {
            EXPECT_LT(before, i);
            EXPECT_EQ(flow.hops[before].to, hop.from);
        }
        const auto in_trees = i - chains;
        if (i < chains || in_trees >= 4 * (nodes - 1)) {
            pass(hop, 0, i < chains);
            pass(hop, 1, i < chains);
        } else {
            pass(hop, in_trees / (2 * (nodes - 1)), in_trees / (nodes - 1) % 2 == 0);
        }
    }
    const std::set<GpuId> everyone{members.begin(), members.end()};
    for (const auto& half : holds) {
        for (const auto& [gpu, held] : half) {
            EXPECT_EQ(held, everyone);
        }
    }
}

TEST(Tree, ReducesBothHalvesUpAndDownItsChainsAndTrees)
{
    const test::Machine machine{test::round_cluster(5)};
    for (const std::size_t nodes : {2U, 3U, 4U, 5U}) {
        const auto members = test::every(static_cast<int>(nodes), 0, 4);
        const auto schedule = plan(machine, Kind::all_reduce, 1_GB, members, Algorithm::tree);
        for (const auto& flow : schedule.phases[0].flows) {
            expect_tree_reduces(flow, members, nodes);
        }
    }
}

TEST(Tree, OverRailsReducesEveryRail)
{
    const test::Machine machine{test::round_cluster(3)};
    const auto schedule =
        plan(machine, Kind::all_reduce, 1_GB, test::every(3, 0, 8), Algorithm::hierarchical_tree);
    ASSERT_EQ(schedule.phases.size(), 3U);
    ASSERT_EQ(schedule.phases[1].flows.size(), 8U);
    for (std::size_t rail = 0; rail < 8; ++rail) {
        expect_tree_reduces(schedule.phases[1].flows[rail],
                            {GpuId{rail}, GpuId{8 + rail}, GpuId{16 + rail}}, 3);
    }
}

TEST(Chain, ABroadcastReachesEveryMemberFromTheFirstAndAReduceEndsThere)
{
    const test::Machine machine{test::round_cluster(3)};
    const auto members = test::every(3, 0, 8);
    for (const auto kind : {Kind::broadcast, Kind::reduce}) {
        const auto schedule = plan(machine, kind, 1_GB, members, Algorithm::ring);
        for (const auto& flow : schedule.phases[0].flows) {
            std::set<GpuId> passed;
            for (std::size_t i = 0; i < flow.hops.size(); ++i) {
                passed.insert(flow.hops[i].from);
                EXPECT_TRUE(i == 0 || flow.hops[i - 1].to == flow.hops[i].from);
            }
            EXPECT_EQ(passed.size(), members.size() - 1);
            const auto root =
                kind == Kind::broadcast ? flow.hops.front().from : flow.hops.back().to;
            EXPECT_EQ(root, members.front());
        }
    }
}

}  // namespace
}  // namespace sim::collective

#include <gtest/gtest.h>

#include <set>

#include "collective/holdings.hpp"
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

TEST(Tree, ReducesBothHalvesUpAndDownItsChainsAndTreesWhateverTheNodes)
{
    const test::Machine machine{test::round_cluster(5)};
    for (const std::size_t nodes : {2U, 3U, 4U, 5U}) {
        const auto members = test::every(static_cast<int>(nodes), 0, 4);
        const auto schedule = plan(machine, Kind::all_reduce, 1_GB, members, Algorithm::tree);
        for (const auto& flow : schedule.phases[0].flows) {
            // The members of a node in a chain; two trees of nodes, each up and down.
            EXPECT_EQ(flow.hops.size(), 2 * (members.size() - nodes) + 4 * (nodes - 1));
        }
        test::Holdings holdings{members, Kind::all_reduce, 8 * members.size()};
        holdings.run(schedule, machine.fabric());
        holdings.expect_done();
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

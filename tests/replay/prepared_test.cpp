#include "replay/prepared.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "replay/fold_compare.hpp"

namespace sim::replay
{
namespace
{

using test::experiment;

/// Three machines and two models in turn, twice: the second time from what is kept.
TEST(Prepared, GivesTheAnswersOfRunsThatBuildTheirOwn)
{
    Prepared prepared;
    for (int turn = 0; turn < 2; ++turn) {
        for (const int tensor : {1, 2}) {
            for (const double gigabits : {200.0, 400.0, 800.0}) {
                auto one = experiment({.tensor = tensor, .pipeline = 2, .data = 4});
                one.cluster.node.nic.bandwidth = Bandwidth::of(gigabits / 8 * 1e9);
                const auto alone = run(one, {});
                const auto shared = run(one, {}, prepared);
                EXPECT_EQ(shared.step, alone.step);
                EXPECT_EQ(shared.fingerprint, alone.fingerprint);
                EXPECT_EQ(shared.activities, alone.activities);
            }
        }
    }
}

TEST(Prepared, MakesOneOfEqualKeysAndAnotherWhereAnythingDiffers)
{
    Prepared prepared;
    auto one = experiment({.tensor = 2, .data = 4});
    const auto graph = prepared.graph(one.workload);
    const auto fabric = prepared.fabric(one.cluster, Links::apart);
    const auto again = experiment({.tensor = 2, .data = 4});
    EXPECT_EQ(prepared.graph(again.workload), graph);
    EXPECT_EQ(prepared.fabric(again.cluster, Links::apart), fabric);
    EXPECT_NE(prepared.fabric(again.cluster, Links::bundled), fabric);
    one.workload.sequence *= 2;
    EXPECT_NE(prepared.graph(one.workload), graph);
    one.cluster.fabric.cable_latency = Time::of(1e-6);
    EXPECT_NE(prepared.fabric(one.cluster, Links::apart), fabric);
}

/// Room for ten: 1, 2 and 3 take six, 5 drives out the one that was not used for longest, which is
/// 2 since 1 was asked for again; what is larger than the room is made and not kept.
TEST(Recent, DropsWhatWasNotUsedForLongest)
{
    Recent<int, int> recent{10};
    int made = 0;
    const auto ask = [&](int key) {
        return recent.get(
            key,
            [&] {
                ++made;
                return key;
            },
            [](int value) { return static_cast<std::size_t>(value); });
    };
    for (const int key : {1, 2, 3, 1, 5}) {
        EXPECT_EQ(*ask(key), key);
    }
    EXPECT_EQ(made, 4);
    (void)ask(1);
    (void)ask(3);
    EXPECT_EQ(made, 4);
    (void)ask(2);
    EXPECT_EQ(made, 5);
    EXPECT_EQ(*ask(11), 11);
    EXPECT_EQ(*ask(11), 11);
    EXPECT_EQ(made, 7);
}

}  // namespace
}  // namespace sim::replay

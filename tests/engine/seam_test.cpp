#include <gtest/gtest.h>

#include "engine/seam.hpp"

namespace sim::engine::testing
{
namespace
{

/// Who gets how much of what.
class SharedCapacity : public Seam
{
};

INSTANTIATE_TEST_SUITE_P(Engines, SharedCapacity, ::testing::Values(Kind::native, Kind::simgrid),
                         engine_name);

TEST_P(SharedCapacity, ATransferTakesItsLatencyAndThenItsBytes)
{
    // 2 us, then 1 GB / 100 GB/s = 10 ms.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(100 * kGB), 1}};
        stage.engine->start({.amount = 1 * kGB, .latency = Time::of(2e-6), .uses = uses});
    });
    expect_time(result.end_of(0), 0.010002);
}

TEST_P(SharedCapacity, AHundredGigabytesAtAHundredGigabytesASecondTakeOneSecond)
{
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 100 * kGB, {{stage.link(100 * kGB), 1}});
    });
    EXPECT_DOUBLE_EQ(result.end_of(0), 1.0);
}

TEST_P(SharedCapacity, EqualSharesMeanEqualBytesWhateverTheConsumptions)
{
    // r bytes/s each take 3r + 1r = 1 GB/s: r = 0.25 GB/s, so 1 GB takes 4 s for both.
    const auto result = played([](Stage& stage) {
        const auto memory = stage.link(1 * kGB);
        stage.transfer(0, 1 * kGB, {{memory, 3}});
        stage.transfer(1, 1 * kGB, {{memory, 1}});
    });
    expect_time(result.end_of(0), 4);
    expect_time(result.end_of(1), 4);
}

TEST_P(SharedCapacity, RatesAreInProportionToTheShares)
{
    // 0.75 and 0.25 GB/s. The first ends after 1 / 0.75 = 4/3 s; the other has then moved 1/3 GB
    // and needs 2/3 s more alone.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(1 * kGB), 1}};
        stage.engine->start({.amount = 1 * kGB, .uses = uses, .share = 3, .token = 0});
        stage.engine->start({.amount = 1 * kGB, .uses = uses, .share = 1, .token = 1});
    });
    expect_time(result.end_of(0), 4.0 / 3);
    expect_time(result.end_of(1), 2);
}

TEST_P(SharedCapacity, ARateCapLeavesTheRestToTheOthers)
{
    // Capped at 0.2 GB/s: 1 GB takes 5 s. The other gets 0.8 GB/s: 1 GB takes 1.25 s.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(1 * kGB), 1}};
        stage.engine->start({.amount = 1 * kGB, .uses = uses, .rate_cap = 0.2 * kGB, .token = 0});
        stage.engine->start({.amount = 1 * kGB, .uses = uses, .token = 1});
    });
    expect_time(result.end_of(0), 5);
    expect_time(result.end_of(1), 1.25);
}

TEST_P(SharedCapacity, ACapIsInBytesWhateverTheConsumption)
{
    // 0.1 GB/s of bytes, though each takes 5 units: 1 GB takes 10 s, and 0.5 GB/s of units are
    // left.
    const auto result = played([](Stage& stage) {
        const auto memory = stage.link(1 * kGB);
        const std::vector<Use> heavy{{memory, 5}};
        stage.engine->start({.amount = 1 * kGB, .uses = heavy, .rate_cap = 0.1 * kGB, .token = 0});
        stage.transfer(1, 1 * kGB, {{memory, 1}});
    });
    expect_time(result.end_of(0), 10);
    expect_time(result.end_of(1), 2);
}

TEST_P(SharedCapacity, ALongFlowOverThreeLinksSharesEachWithAShortOne)
{
    // Links of 1, 2 and 3 GB/s; one flow over all three and one on each. The first link binds the
    // long flow at 0.5; the short ones get 0.5, 1.5 and 2.5 GB/s. With amounts of 5 times those
    // rates all four end at 5 s.
    const auto result = played([](Stage& stage) {
        const auto a = stage.link(1 * kGB);
        const auto b = stage.link(2 * kGB);
        const auto c = stage.link(3 * kGB);
        stage.transfer(0, 2.5 * kGB, {{a, 1}, {b, 1}, {c, 1}});
        stage.transfer(1, 2.5 * kGB, {{a, 1}});
        stage.transfer(2, 7.5 * kGB, {{b, 1}});
        stage.transfer(3, 12.5 * kGB, {{c, 1}});
    });
    for (std::uint64_t token = 0; token < 4; ++token) {
        expect_time(result.end_of(token), 5);
    }
}

TEST_P(SharedCapacity, AResourceListedTwiceIsConsumedTwice)
{
    // 0.5 GB/s of bytes through a 1 GB/s link.
    const auto result = played([](Stage& stage) {
        const auto link = stage.link(1 * kGB);
        stage.transfer(0, 1 * kGB, {{link, 1}, {link, 1}});
    });
    expect_time(result.end_of(0), 2);
}

TEST_P(SharedCapacity, NoBytesTakeTheLatencyAloneEvenOverADeadLink)
{
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(0), 1}};
        stage.engine->start({.latency = Time::of(3e-6), .uses = uses, .token = 0});
        stage.engine->start({.uses = uses, .token = 1});
    });
    EXPECT_DOUBLE_EQ(result.end_of(0), 3e-6);
    EXPECT_EQ(result.end_of(1), 0);
}

TEST_P(SharedCapacity, WhatNothingLimitsTakesNoTime)
{
    const auto result = played([](Stage& stage) {
        const auto ideal = stage.link(kUnlimited);
        stage.transfer(0, 1 * kGB, {{ideal, 1}});
        stage.transfer(1, 1 * kGB, {});
        const std::vector<Use> uses{{ideal, 7}};
        stage.engine->start({.amount = 1 * kGB, .latency = Time::of(1), .uses = uses, .token = 2});
    });
    EXPECT_EQ(result.end_of(0), 0);
    EXPECT_EQ(result.end_of(1), 0);
    EXPECT_EQ(result.end_of(2), 1);
}

TEST_P(SharedCapacity, ACapAloneLimits)
{
    // 1 GB at 4 GB/s, whether there is an unlimited resource or none.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> ideal{{stage.link(kUnlimited), 1}};
        stage.engine->start({.amount = 1 * kGB, .uses = ideal, .rate_cap = 4 * kGB, .token = 0});
        stage.engine->start({.amount = 1 * kGB, .rate_cap = 4 * kGB, .token = 1});
    });
    expect_time(result.end_of(0), 0.25);
    expect_time(result.end_of(1), 0.25);
}

TEST_P(SharedCapacity, ConsumptionZeroUsesNothing)
{
    const auto result = played([](Stage& stage) {
        const auto dead = stage.link(0);
        stage.transfer(0, 1 * kGB, {{dead, 0}, {stage.link(1 * kGB), 1}});
    });
    expect_time(result.end_of(0), 1);
}

TEST_P(SharedCapacity, TheLatencyUsesNothing)
{
    // The second starts to move at 1 s; until then the first has the link alone: 1 GB of 2 is
    // left, shared until 3 s, when the second has 1 GB left for itself.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(1 * kGB), 1}};
        stage.transfer(0, 2 * kGB, uses);
        stage.engine->start({.amount = 2 * kGB, .latency = Time::of(1), .uses = uses, .token = 1});
    });
    expect_time(result.end_of(0), 3);
    expect_time(result.end_of(1), 4);
}

TEST_P(SharedCapacity, ServedIsConsumptionTimesWhatHasMoved)
{
    // At 1 s the first has moved 0.25 GB (3 units each) and the second 0.25 GB (1 unit each), and
    // the second is cancelled. The first's last 0.75 GB then take 2.25 s alone.
    const auto result = played(
        [](Stage& stage) {
            const auto memory = stage.link(1 * kGB);
            stage.transfer(0, 1 * kGB, {{memory, 3}});
            const auto second = stage.transfer(1, 1 * kGB, {{memory, 1}});
            stage.engine->set_timer(Time::of(1), 2);
            stage.react = [&stage, memory, second](const Seen& seen) {
                if (seen.what == Seen::What::timer) {
                    stage.answers.push_back(stage.engine->served(memory));
                    stage.engine->cancel(second);
                    stage.answers.push_back(stage.engine->served(memory));
                }
            };
        },
        [](Stage& stage) { stage.answers.push_back(stage.engine->served(ResourceId{0})); });
    expect_time(result.end_of(0), 3.25);
    ASSERT_EQ(result.answers.size(), 3u);
    expect_time(result.answers[0], 1 * kGB);
    expect_time(result.answers[1], 1 * kGB);
    expect_time(result.answers[2], 3.25 * kGB);
}

}  // namespace
}  // namespace sim::engine::testing

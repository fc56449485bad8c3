#include <gtest/gtest.h>

#include "engine/seam.hpp"

namespace sim::engine::testing
{
namespace
{

/// Capacities that change, are reserved, die and return.
class ChangingCapacity : public Seam
{
};

INSTANTIATE_TEST_SUITE_P(Engines, ChangingCapacity, ::testing::Values(Kind::native, Kind::simgrid),
                         engine_name);

TEST_P(ChangingCapacity, ALinkAtHalfCapacityTakesTwiceAsLongForTheRest)
{
    // 4 s at 1 GB/s leave 6 GB, which take 12 s at 0.5 GB/s.
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 10 * kGB, {{stage.link(1 * kGB, {{Time::of(4), 0.5 * kGB}}), 1}});
    });
    expect_time(result.end_of(0), 16);
}

TEST_P(ChangingCapacity, ACapacityThatRisesIsUsed)
{
    // 1 s at 1 GB/s leaves 9 GB, which take 0.9 s at 10 GB/s.
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 10 * kGB, {{stage.link(1 * kGB, {{Time::of(1), 10 * kGB}}), 1}});
    });
    expect_time(result.end_of(0), 1.9);
}

TEST_P(ChangingCapacity, AReservationTakesCapacityUntilReleased)
{
    // 1 s at 4 GB/s, 2 s at 1 GB/s, and the last 4 GB at 4 GB/s: 10 GB take 4 s.
    const auto result = played([](Stage& stage) {
        const auto sms = stage.link(4 * kGB);
        stage.transfer(0, 10 * kGB, {{sms, 1}});
        stage.engine->set_timer(Time::of(1), 1);
        stage.engine->set_timer(Time::of(3), 2);
        stage.react = [&stage, sms](const Seen& seen) {
            if (seen.what == Seen::What::timer && seen.token == 1) {
                stage.engine->reserve(sms, 3 * kGB);
            } else if (seen.what == Seen::What::timer) {
                stage.engine->release(sms, 3 * kGB);
            }
        };
    });
    expect_time(result.end_of(0), 4);
}

TEST_P(ChangingCapacity, AReservationOfEverythingStopsWhatRuns)
{
    // Nothing moves from 1 s to 3 s: 2 GB at 1 GB/s end at 4 s. Ten tenths are the whole, although
    // their sum in binary is not.
    const auto result = played([](Stage& stage) {
        const auto sms = stage.link(1);
        stage.transfer(0, 2, {{sms, 1}});
        stage.engine->set_timer(Time::of(1), 1);
        stage.engine->set_timer(Time::of(3), 2);
        stage.react = [&stage, sms](const Seen& seen) {
            for (int i = 0; seen.what == Seen::What::timer && i < 10; ++i) {
                seen.token == 1 ? stage.engine->reserve(sms, 0.1) : stage.engine->release(sms, 0.1);
            }
        };
    });
    expect_time(result.end_of(0), 4);
}

TEST_P(ChangingCapacity, ADeadLinkStopsWhatUsesItAndNothingElse)
{
    // The pair's first link is dead from 1 s to 4 s. Until then both flows have half of the second
    // link, 0.5 GB/s; while it is dead the other flow has 1 GB/s and moves its last 1.5 GB by
    // 2.5 s. The pair goes on at 1 GB/s at 4 s with 1.5 GB to go.
    const auto result = played([](Stage& stage) {
        const auto first = stage.link(1 * kGB, {{Time::of(1), 0}, {Time::of(4), 1 * kGB}});
        const auto second = stage.link(1 * kGB);
        stage.transfer(0, 2 * kGB, {{first, 1}, {second, 1}});
        stage.transfer(1, 2 * kGB, {{second, 1}});
    });
    expect_time(result.end_of(1), 2.5);
    expect_time(result.end_of(0), 5.5);
}

TEST_P(ChangingCapacity, AFlowWhoseLinkReturnsTakesItsShareOfAllItsLinks)
{
    // The pair's first link is dead from 1 s to 2 s. Until 1 s both flows have 0.5 GB/s of the
    // second link; then the other flow has it alone and has moved 1.5 GB by 2 s. From there both
    // have 0.5 GB/s again: the pair's last 1.5 GB take 3 s, to 5 s. The other has moved 3 GB by
    // then and its last GB takes 1 s. Left to itself, SimGrid gives both 1 GB/s from 2 s on.
    const auto result = played([](Stage& stage) {
        const auto first = stage.link(1 * kGB, {{Time::of(1), 0}, {Time::of(2), 1 * kGB}});
        const auto second = stage.link(1 * kGB);
        stage.transfer(0, 2 * kGB, {{first, 1}, {second, 1}});
        stage.transfer(1, 4 * kGB, {{second, 1}});
    });
    expect_time(result.end_of(0), 5);
    expect_time(result.end_of(1), 6);
}

TEST_P(ChangingCapacity, ALinkDeadFromTheStartIsWaitedFor)
{
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 1 * kGB, {{stage.link(0, {{Time::of(3), 1 * kGB}}), 1}});
    });
    expect_time(result.end_of(0), 4);
}

TEST_P(ChangingCapacity, ALinkThatNeverReturnsEndsTheRunWithItsName)
{
    const auto words = words_of<Stalled>([](Stage& stage) {
        const auto uplink = stage.engine->add_resource({"uplink 3", 1 * kGB, {{Time::of(2), 0}}});
        const auto spare = stage.engine->add_resource({"spare", 0, {}});
        stage.transfer(0, 5 * kGB, {{uplink, 1}});
        stage.transfer(1, 5 * kGB, {{uplink, 1}, {spare, 1}});
    });
    EXPECT_EQ(words,
              "no progress after 2 s: 2 activities wait for capacity that never returns on "
              "\"uplink 3\", \"spare\"");
}

TEST_P(ChangingCapacity, AnUnlimitedLinkMayBecomeFinite)
{
    // 1 GB/s by its cap until 1 s, then half of it: 2 GB end at 3 s.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(kUnlimited, {{Time::of(1), 0.5 * kGB}}), 1}};
        stage.engine->start({.amount = 2 * kGB, .uses = uses, .rate_cap = 1 * kGB});
    });
    expect_time(result.end_of(0), 3);
}

TEST_P(ChangingCapacity, TheRunEndsWithTheLastActivityNotWithTheLastCapacityChange)
{
    const auto result = played(
        [](Stage& stage) {
            stage.transfer(0, 1 * kGB, {{stage.link(1 * kGB, {{Time::of(100), 0}}), 1}});
        },
        [](Stage& stage) { stage.answers.push_back(stage.engine->now().base()); });
    expect_time(result.answers.at(0), 1);
}

}  // namespace
}  // namespace sim::engine::testing

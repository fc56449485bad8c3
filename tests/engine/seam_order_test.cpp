#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/seam.hpp"

namespace sim::engine::testing
{
namespace
{

using ::testing::ElementsAre;

/// Instants: their order, their precision, and what a cancel does to them.
class SeamTimes : public Seam
{
};

INSTANTIATE_TEST_SUITE_P(Engines, SeamTimes, ::testing::Values(Kind::native, Kind::simgrid),
                         engine_name);

TEST_P(SeamTimes, NanosecondsBesideAThousandSeconds)
{
    // At 1000 s ten latencies of 1 ns follow each other; the clock resolves 1.1e-13 s there.
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 1000 * kGB, {{stage.link(1 * kGB), 1}});
        stage.react = [&stage](const Seen& seen) {
            if (seen.token < 10) {
                stage.engine->start({.latency = Time::of(1e-9), .token = seen.token + 1});
            }
        };
    });
    EXPECT_DOUBLE_EQ(result.end_of(0), 1000);
    EXPECT_NEAR(result.end_of(10) - result.end_of(0), 1e-8, 2e-12);
}

TEST_P(SeamTimes, AMillionActivitiesOneAfterAnotherDoNotDrift)
{
    // Each takes 1 us; the sum of a million roundings of 1e-16 relative stays below 1e-10.
    const std::uint64_t count = GetParam() == Kind::native ? 1'000'000 : 100'000;
    const auto result = played(
        [count](Stage& stage) {
            const std::vector<Use> uses{{stage.link(1e9), 1}};
            stage.transfer(1, 1000, uses);
            stage.react = [&stage, uses, count](const Seen& seen) {
                stage.seen.clear();
                if (seen.token < count) {
                    stage.transfer(seen.token + 1, 1000, uses);
                }
            };
        },
        [](Stage& stage) { stage.answers.push_back(stage.engine->now().base()); });
    const double expected = 1e-6 * static_cast<double>(count);
    EXPECT_NEAR(result.answers.at(0), expected, 1e-10 * expected);
}

TEST_P(SeamTimes, EqualTimesAreTimersFirstAndThenInTheOrderOfStarting)
{
    // Everything happens at 1 s: on two links, started in mixed order, one by latency alone.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> fast{{stage.link(2 * kGB), 1}};
        const std::vector<Use> slow{{stage.link(1 * kGB), 1}};
        stage.transfer(10, 2 * kGB, fast);
        stage.engine->start({.latency = Time::of(1), .token = 11});
        stage.transfer(12, 1 * kGB, slow);
        stage.engine->set_timer(Time::of(1), 21);
        stage.engine->set_timer(Time::of(1), 20);
    });
    EXPECT_THAT(result.tokens(), ElementsAre(21, 20, 10, 11, 12));
}

TEST_P(SeamTimes, WhatACallAddsToTheInstantTakesItsPlaceInTheOrder)
{
    // Both end at 1 s. The first finish sets a timer for now, which comes before the second
    // finish, and starts an activity that takes no time, which comes after it.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(2 * kGB), 1}};
        stage.transfer(0, 1 * kGB, uses);
        stage.transfer(1, 1 * kGB, uses);
        stage.react = [&stage](const Seen& seen) {
            if (seen.token == 0) {
                stage.engine->start({.token = 2});
                stage.engine->set_timer(stage.engine->now(), 3);
            }
        };
    });
    EXPECT_THAT(result.tokens(), ElementsAre(0, 3, 1, 2));
    expect_time(result.end_of(2), 1);
}

TEST_P(SeamTimes, ACancelAtTheInstantOfTheEndStillSilencesIt)
{
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(2 * kGB), 1}};
        stage.transfer(0, 1 * kGB, uses);
        const auto second = stage.transfer(1, 1 * kGB, uses);
        stage.react = [&stage, second](const Seen&) { stage.engine->cancel(second); };
    });
    EXPECT_THAT(result.tokens(), ElementsAre(0));
}

TEST_P(SeamTimes, ACancelledActivityFreesItsCapacityAtOnceAndIsNotHeardOf)
{
    // 1 s at 0.5 GB/s, then 1.5 GB alone at 1 GB/s.
    const auto result = played([](Stage& stage) {
        const auto link = stage.link(1 * kGB);
        const auto victim = stage.transfer(0, 2 * kGB, {{link, 1}});
        stage.transfer(1, 2 * kGB, {{link, 1}});
        stage.engine->set_timer(Time::of(1), 2);
        stage.react = [&stage, victim](const Seen& seen) {
            if (seen.what == Seen::What::timer) {
                stage.engine->cancel(victim);
                stage.engine->cancel(victim);
            }
        };
    });
    EXPECT_THAT(result.tokens(), ElementsAre(2, 1));
    expect_time(result.end_of(1), 2.5);
}

TEST_P(SeamTimes, CancelsDuringTheLatencyAndAfterTheEndAreHarmless)
{
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(1 * kGB), 1}};
        const auto late = stage.engine->start(
            {.amount = 1 * kGB, .latency = Time::of(5), .uses = uses, .token = 0});
        const auto early = stage.transfer(1, 1 * kGB, uses);
        stage.react = [&stage, late, early](const Seen&) {
            stage.engine->cancel(late);
            stage.engine->cancel(early);
        };
    });
    EXPECT_THAT(result.tokens(), ElementsAre(1));
}

}  // namespace
}  // namespace sim::engine::testing

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/play.hpp"

namespace sim::engine::testing
{
namespace
{

using ::testing::ElementsAre;

constexpr double kGB = 1e9;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What the seam promises, asked of every engine. Expected times are worked out beside each.
class Seam : public ::testing::TestWithParam<Kind>
{
protected:
    [[nodiscard]] Played played(const std::function<void(Stage&)>& set,
                                const std::function<void(Stage&)>& after = {}) const
    {
        return play(GetParam(), set, after);
    }

    template <class Problem>
    [[nodiscard]] std::string words_of(const std::function<void(Stage&)>& set) const
    {
        try {
            (void)play(GetParam(), set);
        } catch (const Problem& problem) {
            return problem.what();
        }
        return "nothing was thrown";
    }
};

INSTANTIATE_TEST_SUITE_P(Engines, Seam, ::testing::Values(Kind::native, Kind::simgrid),
                         [](const auto& kind) {
                             return kind.param == Kind::native ? "native" : "simgrid";
                         });

/// Equal but for the rounding of a few operations.
void expect_time(double actual, double expected)
{
    EXPECT_NEAR(actual, expected, 1e-12 * expected) << "off by " << actual / expected - 1;
}

TEST_P(Seam, ATransferTakesItsLatencyAndThenItsBytes)
{
    // 2 us, then 1 GB / 100 GB/s = 10 ms.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(100 * kGB), 1}};
        stage.engine->start({.amount = 1 * kGB, .latency = Time::of(2e-6), .uses = uses});
    });
    expect_time(result.end_of(0), 0.010002);
}

TEST_P(Seam, AHundredGigabytesAtAHundredGigabytesASecondTakeOneSecond)
{
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 100 * kGB, {{stage.link(100 * kGB), 1}});
    });
    EXPECT_DOUBLE_EQ(result.end_of(0), 1.0);
}

TEST_P(Seam, EqualSharesMeanEqualBytesWhateverTheConsumptions)
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

TEST_P(Seam, RatesAreInProportionToTheShares)
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

TEST_P(Seam, ALinkAtHalfCapacityTakesTwiceAsLongForTheRest)
{
    // 4 s at 1 GB/s leave 6 GB, which take 12 s at 0.5 GB/s.
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 10 * kGB, {{stage.link(1 * kGB, {{Time::of(4), 0.5 * kGB}}), 1}});
    });
    expect_time(result.end_of(0), 16);
}

TEST_P(Seam, ACapacityThatRisesIsUsed)
{
    // 1 s at 1 GB/s leaves 9 GB, which take 0.9 s at 10 GB/s.
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 10 * kGB, {{stage.link(1 * kGB, {{Time::of(1), 10 * kGB}}), 1}});
    });
    expect_time(result.end_of(0), 1.9);
}

TEST_P(Seam, ARateCapLeavesTheRestToTheOthers)
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

TEST_P(Seam, ACapIsInBytesWhateverTheConsumption)
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

TEST_P(Seam, ALongFlowOverThreeLinksSharesEachWithAShortOne)
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

TEST_P(Seam, AResourceListedTwiceIsConsumedTwice)
{
    // 0.5 GB/s of bytes through a 1 GB/s link.
    const auto result = played([](Stage& stage) {
        const auto link = stage.link(1 * kGB);
        stage.transfer(0, 1 * kGB, {{link, 1}, {link, 1}});
    });
    expect_time(result.end_of(0), 2);
}

TEST_P(Seam, AReservationTakesCapacityUntilReleased)
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

TEST_P(Seam, AReservationOfEverythingStopsWhatRuns)
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

TEST_P(Seam, ACancelledActivityFreesItsCapacityAtOnceAndIsNotHeardOf)
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

TEST_P(Seam, CancelsDuringTheLatencyAndAfterTheEndAreHarmless)
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

TEST_P(Seam, ADeadLinkStopsWhatUsesItAndNothingElse)
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

TEST_P(Seam, AFlowWhoseLinkReturnsTakesItsShareOfAllItsLinks)
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

TEST_P(Seam, ALinkDeadFromTheStartIsWaitedFor)
{
    const auto result = played([](Stage& stage) {
        stage.transfer(0, 1 * kGB, {{stage.link(0, {{Time::of(3), 1 * kGB}}), 1}});
    });
    expect_time(result.end_of(0), 4);
}

TEST_P(Seam, ALinkThatNeverReturnsEndsTheRunWithItsName)
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

TEST_P(Seam, NoBytesTakeTheLatencyAloneEvenOverADeadLink)
{
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(0), 1}};
        stage.engine->start({.latency = Time::of(3e-6), .uses = uses, .token = 0});
        stage.engine->start({.uses = uses, .token = 1});
    });
    EXPECT_DOUBLE_EQ(result.end_of(0), 3e-6);
    EXPECT_EQ(result.end_of(1), 0);
}

TEST_P(Seam, WhatNothingLimitsTakesNoTime)
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

TEST_P(Seam, ACapAloneLimits)
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

TEST_P(Seam, AnUnlimitedLinkMayBecomeFinite)
{
    // 1 GB/s by its cap until 1 s, then half of it: 2 GB end at 3 s.
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(kUnlimited, {{Time::of(1), 0.5 * kGB}}), 1}};
        stage.engine->start({.amount = 2 * kGB, .uses = uses, .rate_cap = 1 * kGB});
    });
    expect_time(result.end_of(0), 3);
}

TEST_P(Seam, ConsumptionZeroUsesNothing)
{
    const auto result = played([](Stage& stage) {
        const auto dead = stage.link(0);
        stage.transfer(0, 1 * kGB, {{dead, 0}, {stage.link(1 * kGB), 1}});
    });
    expect_time(result.end_of(0), 1);
}

TEST_P(Seam, TheLatencyUsesNothing)
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

TEST_P(Seam, NanosecondsBesideAThousandSeconds)
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

TEST_P(Seam, AMillionActivitiesOneAfterAnotherDoNotDrift)
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

TEST_P(Seam, EqualTimesAreTimersFirstAndThenInTheOrderOfStarting)
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

TEST_P(Seam, WhatACallAddsToTheInstantTakesItsPlaceInTheOrder)
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

TEST_P(Seam, ACancelAtTheInstantOfTheEndStillSilencesIt)
{
    const auto result = played([](Stage& stage) {
        const std::vector<Use> uses{{stage.link(2 * kGB), 1}};
        stage.transfer(0, 1 * kGB, uses);
        const auto second = stage.transfer(1, 1 * kGB, uses);
        stage.react = [&stage, second](const Seen&) { stage.engine->cancel(second); };
    });
    EXPECT_THAT(result.tokens(), ElementsAre(0));
}

TEST_P(Seam, ServedIsConsumptionTimesWhatHasMoved)
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

TEST_P(Seam, TheRunEndsWithTheLastActivityNotWithTheLastCapacityChange)
{
    const auto result = played(
        [](Stage& stage) {
            stage.transfer(0, 1 * kGB, {{stage.link(1 * kGB, {{Time::of(100), 0}}), 1}});
        },
        [](Stage& stage) { stage.answers.push_back(stage.engine->now().base()); });
    expect_time(result.answers.at(0), 1);
}

struct Refusal {
    std::string words;
    std::function<void(Engine&, ResourceId)> act;
};

TEST_P(Seam, NegativeNumbersAndNaNAreRefusedWithTheResourcesName)
{
    const auto with = [](Activity activity, double consumption = 1) {
        return [activity, consumption](Engine& engine, ResourceId nic) mutable {
            const std::vector<Use> uses{{nic, consumption}};
            activity.uses = uses;
            engine.start(activity);
        };
    };
    const std::vector<Refusal> refusals{
        {"resource \"hbm\": capacity is -1 (must be 0 or more; infinity is unlimited)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", -1, {}});
         }},
        {"resource \"hbm\": capacity is nan (must be 0 or more; infinity is unlimited)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", kNaN, {}});
         }},
        {"resource \"hbm\": capacity from 3 s on is -2 (must be 0 or more; infinity is unlimited)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", 1, {{Time::of(3), -2}}});
         }},
        {"resource \"hbm\": the time of a capacity change is 1 (must not come before the previous "
         "one, 3 s)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", 1, {{Time::of(3), 2}, {Time::of(1), 2}}});
         }},
        {"activity on \"nic\": amount is -1 (must be finite and 0 or more)", with({.amount = -1})},
        {"activity on \"nic\": amount is nan (must be finite and 0 or more)",
         with({.amount = kNaN})},
        {"activity on \"nic\": latency is -0.5 (must be finite and 0 or more)",
         with({.latency = Time::of(-0.5)})},
        {"activity on \"nic\": share is 0 (must be finite and above 0)",
         with({.amount = 1, .share = 0})},
        {"activity on \"nic\": share is nan (must be finite and above 0)",
         with({.amount = 1, .share = kNaN})},
        {"activity on \"nic\": rate cap is -3 (must be above 0; infinity is none)",
         with({.amount = 1, .rate_cap = -3})},
        {"activity on \"nic\": consumption of \"nic\" is -1 (must be finite and 0 or more)",
         with({.amount = 1}, -1)},
        {"activity on \"nic\": consumption of \"nic\" is nan (must be finite and 0 or more)",
         with({.amount = 1}, kNaN)},
        {"resource \"nic\": reservation is -1 (must be finite and 0 or more)",
         [](Engine& engine, ResourceId nic) { engine.reserve(nic, -1); }},
        {"resource \"nic\": reservation is nan (must be finite and 0 or more)",
         [](Engine& engine, ResourceId nic) { engine.release(nic, kNaN); }},
        {"timer: time is nan (must be finite and 0 or more)",
         [](Engine& engine, ResourceId) { engine.set_timer(Time::of(kNaN), 0); }},
    };
    for (const Refusal& refusal : refusals) {
        EXPECT_EQ(words_of<std::invalid_argument>([&refusal](Stage& stage) {
                      const auto nic = stage.engine->add_resource({"nic", 1 * kGB, {}});
                      refusal.act(*stage.engine, nic);
                  }),
                  refusal.words);
    }
}

}  // namespace
}  // namespace sim::engine::testing

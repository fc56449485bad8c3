#include "engine/native_engine.hpp"

#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/contract.hpp"

namespace
{

using sim::ResourceId;
using sim::Time;
using sim::engine::Activity;
using sim::engine::ActivityId;
using sim::engine::kUnlimited;
using sim::engine::Listener;
using sim::engine::NativeEngine;
using sim::engine::NativeOptions;
using sim::engine::Stalled;
using sim::engine::Use;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr Time s(double seconds) { return Time::of(seconds); }

/// Keeps what it is told, and does what a test asks when told it.
class Script : public Listener
{
public:
    explicit Script(NativeEngine& engine) : engine_{engine} {}

    void finished(std::uint64_t token) override { told(token); }
    void timer(std::uint64_t token) override { told(token); }

    std::function<void(std::uint64_t)> then = [](std::uint64_t) {};
    std::vector<std::pair<std::uint64_t, double>> calls;

private:
    void told(std::uint64_t token)
    {
        calls.emplace_back(token, engine_.now().base());
        then(token);
    }

    NativeEngine& engine_;
};

struct Bench {
    NativeEngine engine;
    Script script{engine};

    Bench() { engine.set_audit(true); }
    explicit Bench(const NativeOptions& options) : engine{options} {}

    ResourceId add(double capacity, std::vector<sim::engine::CapacityChange> schedule = {})
    {
        return engine.add_resource({"r" + std::to_string(count_++), capacity, std::move(schedule)});
    }
    ActivityId start(std::uint64_t token, double amount, std::vector<Use> uses, Activity more = {})
    {
        more.amount = amount;
        more.uses = uses;
        more.token = token;
        return engine.start(more);
    }
    const std::vector<std::pair<std::uint64_t, double>>& run()
    {
        engine.run(script);
        return script.calls;
    }

private:
    int count_ = 0;
};

TEST(NativeEngine, EqualSharesWithConsumptionsThreeAndOneEndTogether)
{
    // 3 r + 1 r = 1e9, so r = 0.25e9 and 1e9 bytes take 4 s.
    Bench bench;
    const auto link = bench.add(1e9);
    bench.start(1, 1e9, {{link, 3}});
    bench.start(2, 1e9, {{link, 1}});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 4.0), Pair(2, 4.0)));
    EXPECT_EQ(bench.engine.served(link), 4e9);
}

TEST(NativeEngine, SharesThreeToOneSplitTheResourceSo)
{
    // 0.75e9 and 0.25e9 until 4/3 s; then 2/3e9 bytes are left at 1e9: 2 s.
    Bench bench;
    const auto link = bench.add(1e9);
    bench.start(1, 1e9, {{link, 1}}, {.share = 3});
    bench.start(2, 1e9, {{link, 1}});
    const auto& calls = bench.run();
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_NEAR(calls[0].second, 4.0 / 3, 1e-14);
    EXPECT_NEAR(calls[1].second, 2.0, 1e-14);
}

TEST(NativeEngine, LatencyUsesNoResource)
{
    // The first moves 1 of its 2 bytes alone until 1 s and the other at half speed: 3 s. The second
    // has moved 1 of 2 by then and has the link alone for the rest: 4 s.
    Bench bench;
    const auto link = bench.add(1);
    bench.start(1, 2, {{link, 1}});
    bench.start(2, 2, {{link, 1}}, {.latency = s(1)});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 3.0), Pair(2, 4.0)));
}

TEST(NativeEngine, ALinkAtHalfCapacityFromOneSecondOnTakesAsLongAsArithmeticSays)
{
    // 1 of 3 bytes by 1 s, the other 2 at 0.5: 5 s.
    Bench bench;
    const auto link = bench.add(1, {{s(1), 0.5}});
    bench.start(1, 3, {{link, 1}});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 5.0)));
}

TEST(NativeEngine, ADeadResourceStallsUntilItReturns)
{
    Bench bench;
    const auto link = bench.add(1, {{s(1), 0}, {s(3), 1}});
    const auto id = bench.start(1, 2, {{link, 1}});
    bench.engine.set_timer(s(2), 7);
    bench.script.then = [&](std::uint64_t token) {
        if (token == 7) {
            EXPECT_EQ(bench.engine.rate(id), 0.0);
            EXPECT_EQ(bench.engine.served(link), 1.0);
        }
    };
    EXPECT_THAT(bench.run(), ElementsAre(Pair(7, 2.0), Pair(1, 4.0)));
}

TEST(NativeEngine, ACapacityThatNeverReturnsIsNamed)
{
    Bench bench;
    const auto dead = bench.add(1, {{s(1), 0}});
    const auto fine = bench.add(1);
    bench.start(1, 2, {{dead, 1}, {fine, 1}});
    bench.start(2, 2, {{dead, 1}});
    bench.start(3, 2, {{fine, 1}});
    try {
        bench.run();
        FAIL() << "did not stall";
    } catch (const Stalled& stalled) {
        EXPECT_THAT(stalled.what(), HasSubstr("2 activities wait"));
        EXPECT_THAT(stalled.what(), HasSubstr("\"r0\""));
        EXPECT_THAT(stalled.what(), testing::Not(HasSubstr("\"r1\"")));
    }
}

TEST(NativeEngine, ReservedUnitsAreAwayUntilReleased)
{
    // 4 units/s; from 1 s to 3 s 3 of them are held: 4 + 2 x 1 + then 4 more = 10 at 4 s.
    Bench bench;
    const auto sms = bench.add(4);
    bench.start(1, 10, {{sms, 1}});
    bench.engine.set_timer(s(1), 10);
    bench.engine.set_timer(s(3), 11);
    bench.script.then = [&](std::uint64_t token) {
        if (token == 10) {
            bench.engine.reserve(sms, 3);
        } else if (token == 11) {
            bench.engine.release(sms, 3);
        }
    };
    EXPECT_THAT(bench.run(), ElementsAre(Pair(10, 1.0), Pair(11, 3.0), Pair(1, 4.0)));
}

TEST(NativeEngine, ReservingMoreThanThereIsLeavesNothing)
{
    Bench bench;
    const auto sms = bench.add(4, {{s(2), 8}});
    bench.engine.reserve(sms, 6);
    bench.start(1, 2, {{sms, 1}});
    // Nothing until 2 s, then 8 - 6 = 2 units/s.
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 3.0)));
}

TEST(NativeEngine, ARateCapHoldsAndLeavesTheRestToOthers)
{
    Bench bench;
    const auto link = bench.add(10);
    bench.start(1, 2, {{link, 1}}, {.rate_cap = 2});
    bench.start(2, 8, {{link, 1}});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 1.0), Pair(2, 1.0)));
}

TEST(NativeEngine, EqualTimesAreTimersFirstThenFinishesInTheOrderOfStarting)
{
    Bench bench;
    const auto a = bench.add(1);
    const auto b = bench.add(2);
    bench.start(1, 2, {{b, 1}}, {.latency = s(1)});  // 1 + 2/2
    bench.start(2, 2, {{a, 1}});                     // 2/1
    bench.engine.set_timer(s(2), 10);
    bench.engine.set_timer(s(2), 11);
    bench.script.then = [&](std::uint64_t token) {
        if (token == 1) {
            bench.engine.set_timer(s(2), 12);  // now: before the other finish
            bench.start(3, 0, {});             // now: after it
        }
    };
    EXPECT_THAT(bench.run(), ElementsAre(Pair(10, 2.0), Pair(11, 2.0), Pair(1, 2.0), Pair(12, 2.0),
                                         Pair(2, 2.0), Pair(3, 2.0)));
}

TEST(NativeEngine, ZeroSizeTakesItsLatencyAndNothingElse)
{
    Bench bench;
    const auto dead = bench.add(0);
    bench.start(1, 0, {{dead, 1}}, {.latency = s(2)});
    bench.start(2, 0, {{dead, 1}});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(2, 0.0), Pair(1, 2.0)));
}

TEST(NativeEngine, NothingInTheWayTakesNoTime)
{
    Bench bench;
    const auto endless = bench.add(kUnlimited);
    bench.start(1, 1e9, {{endless, 1}}, {.latency = s(1)});
    bench.start(2, 1e9, {});
    bench.start(3, 6, {}, {.rate_cap = 2});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(2, 0.0), Pair(1, 1.0), Pair(3, 3.0)));
    EXPECT_EQ(bench.engine.served(endless), 1e9);
}

TEST(NativeEngine, WhatNothingLimitsIsToldInTheOrderOfStarting)
{
    Bench bench;
    bench.start(1, 5, {});
    bench.start(2, 0, {});
    bench.start(3, 5, {}, {.latency = s(1)});
    bench.start(4, 0, {}, {.latency = s(1)});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 0.0), Pair(2, 0.0), Pair(3, 1.0), Pair(4, 1.0)));
}

TEST(NativeEngine, ACancelledActivityIsNotToldAndFreesItsPart)
{
    // Halves until 1 s (0.5 each), then the other has 1.5 left at full speed.
    Bench bench;
    const auto link = bench.add(1);
    const auto first = bench.start(1, 2, {{link, 1}});
    bench.start(2, 2, {{link, 1}});
    bench.engine.set_timer(s(1), 9);
    bench.script.then = [&](std::uint64_t) {
        bench.engine.cancel(first);
        bench.engine.cancel(first);
    };
    EXPECT_THAT(bench.run(), ElementsAre(Pair(9, 1.0), Pair(2, 2.5)));
    EXPECT_EQ(bench.engine.served(link), 2.5);
}

TEST(NativeEngine, CancellingWhatIsDueAtThisInstantHoldsItsCallBack)
{
    Bench bench;
    const auto a = bench.add(1);
    const auto b = bench.add(1);
    bench.start(1, 1, {{a, 1}});
    const auto second = bench.start(2, 1, {{b, 1}});
    bench.script.then = [&](std::uint64_t) { bench.engine.cancel(second); };
    EXPECT_THAT(bench.run(), ElementsAre(Pair(1, 1.0)));
    EXPECT_EQ(bench.engine.served(b), 1.0);
}

TEST(NativeEngine, CancellingDuringTheLatencyOrBeforeAnySolveMovesNothing)
{
    Bench bench;
    const auto link = bench.add(1);
    bench.engine.cancel(bench.start(1, 1, {{link, 1}}, {.latency = s(1)}));
    bench.engine.cancel(bench.start(2, 1, {{link, 1}}));
    bench.start(3, 1, {{link, 1}});
    EXPECT_THAT(bench.run(), ElementsAre(Pair(3, 1.0)));
    EXPECT_EQ(bench.engine.served(link), 1.0);
}

TEST(NativeEngine, TellsRateLoadAndBottleneck)
{
    Bench bench;
    const auto wide = bench.add(10);
    const auto narrow = bench.add(2);
    const auto id = bench.start(1, 4, {{wide, 2}, {narrow, 1}});
    const auto late = bench.start(2, 4, {}, {.latency = s(2)});
    bench.engine.set_timer(s(1), 9);
    bench.script.then = [&](std::uint64_t token) {
        if (token == 9) {
            EXPECT_EQ(bench.engine.rate(id), 2.0);
            EXPECT_EQ(bench.engine.rate(late), 0.0);
            EXPECT_EQ(bench.engine.load(wide), 4.0);
            EXPECT_EQ(bench.engine.bottleneck(id), narrow);
            EXPECT_EQ(bench.engine.served(wide), 4.0);
            EXPECT_EQ(bench.engine.check_optimality(), "");
        }
    };
    bench.run();
    EXPECT_EQ(bench.script.calls.size(), 3u);
}

TEST(NativeEngine, RefusesNumbersThatAreNoneWithTheResourcesName)
{
    Bench bench;
    EXPECT_THROW(bench.add(-1), std::invalid_argument);
    EXPECT_THROW(bench.add(1, {{s(1), std::nan("")}}), std::invalid_argument);
    const auto link = bench.add(1);
    EXPECT_THROW(bench.start(1, -1, {{link, 1}}), std::invalid_argument);
    EXPECT_THROW(bench.start(1, 1, {{link, -1}}), std::invalid_argument);
    EXPECT_THROW(bench.start(1, 1, {{link, 1}}, {.share = 0}), std::invalid_argument);
    EXPECT_THROW(bench.engine.reserve(link, -1), std::invalid_argument);
    EXPECT_THROW(bench.engine.set_timer(s(std::nan("")), 1), std::invalid_argument);
    EXPECT_TRUE(bench.run().empty());
}

TEST(NativeEngine, ARunThatNeverAdvancesIsToldSo)
{
    Bench bench{NativeOptions{.calls_per_instant = 1000}};
    bench.start(1, 0, {});
    bench.script.then = [&](std::uint64_t) { bench.start(1, 0, {}); };
    EXPECT_THROW(bench.run(), Stalled);
}

}  // namespace

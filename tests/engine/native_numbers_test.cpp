#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "engine/native_engine.hpp"

namespace
{

using sim::ResourceId;
using sim::Time;
using sim::engine::Activity;
using sim::engine::Listener;
using sim::engine::NativeEngine;
using sim::engine::Use;

class Each : public Listener
{
public:
    explicit Each(std::function<void(std::uint64_t)> then) : then_{std::move(then)} {}
    void finished(std::uint64_t token) override { then_(token); }
    void timer(std::uint64_t token) override { then_(token); }

private:
    std::function<void(std::uint64_t)> then_;
};

TEST(NativeNumbers, AMillionBackToBackActivitiesDoNotDrift)
{
    // Each takes 1e5 / 3e11 s; a million take 1/3 s.
    NativeEngine engine;
    const std::vector<Use> link{{engine.add_resource({"link", 3e11, {}}), 1}};
    int left = 1'000'000;
    const auto next = [&](std::uint64_t) {
        if (left-- > 0) {
            engine.start({.amount = 1e5, .uses = link});
        }
    };
    next(0);
    Each each{next};
    engine.run(each);
    EXPECT_NEAR(engine.now().base() * 3, 1, 1e-10);
}

TEST(NativeNumbers, ManyRateChangesDoNotDriftOneLongActivity)
{
    // The short ones take turns: the long one has half the link all the time, so its 1e9 bytes
    // take 2 s. Each short one moves 1e4 bytes in 2e-5 s: 100,000 of them.
    NativeEngine engine;
    const std::vector<Use> link{{engine.add_resource({"link", 1e9, {}}), 1}};
    engine.start({.amount = 1e9, .uses = link, .token = 1});
    double long_end = 0;
    const auto next = [&](std::uint64_t token) {
        if (token == 1) {
            long_end = engine.now().base();
        } else if (long_end == 0) {
            // A gap of 1 ns between two short ones gives the long one the link for that long.
            engine.start({.amount = 1e4, .latency = Time::of(1e-9), .uses = link});
        }
    };
    next(0);
    Each each{next};
    engine.run(each);
    // In a period of 2e-5 + 1e-9 s the long one moves 1e4 + 1 bytes: 1e9 / 10001 periods.
    EXPECT_NEAR(long_end / (1e9 / 10001 * (2e-5 + 1e-9)), 1, 1e-9);
}

TEST(NativeNumbers, NanosecondsCountBesideAThousandSeconds)
{
    // The transfer ends at 1000 s; ten steps of 1 ns follow one by one.
    NativeEngine engine;
    const std::vector<Use> link{{engine.add_resource({"link", 1e9, {}}), 1}};
    engine.start({.amount = 1e12, .uses = link});
    std::vector<double> times;
    Each each{[&](std::uint64_t) {
        times.push_back(engine.now().base());
        if (times.size() <= 10) {
            engine.start({.latency = Time::of(1e-9)});
        }
    }};
    engine.run(each);
    ASSERT_EQ(times.size(), 11u);
    EXPECT_DOUBLE_EQ(times[0], 1000);
    for (std::size_t i = 1; i < times.size(); ++i) {
        // The clock resolves 1.1e-13 s here.
        EXPECT_NEAR(times[i] - times[i - 1], 1e-9, 3e-13);
    }
}

TEST(NativeNumbers, TimesThatOnlyRoundingTellsApartAreOneInstant)
{
    // 0.1 + 0.2 and 0.3 differ in the last bit; the timer set later for 0.3 is one instant with
    // both finishes, so what is started there shares the link from one instant on.
    NativeEngine engine;
    const std::vector<Use> a{{engine.add_resource({"a", 1, {}}), 1}};
    const std::vector<Use> b{{engine.add_resource({"b", 1, {}}), 1}};
    engine.start({.amount = 0.2, .latency = Time::of(0.1), .uses = a, .token = 1});
    engine.start({.amount = 0.3, .uses = b, .token = 2});
    std::vector<double> times;
    Each each{[&](std::uint64_t) { times.push_back(engine.now().base()); }};
    engine.run(each);
    ASSERT_EQ(times.size(), 2u);
    EXPECT_EQ(times[0], times[1]);
}

TEST(NativeNumbers, WorkBelowOnePartInATrillionIsDone)
{
    // 1 byte at 1 byte/s; the link dies 1e-13 s before the end and never returns.
    NativeEngine engine;
    const std::vector<Use> link{{engine.add_resource({"link", 1, {{Time::of(1 - 1e-13), 0}}}), 1}};
    engine.start({.amount = 1, .uses = link});
    int ended = 0;
    Each each{[&](std::uint64_t) { ++ended; }};
    engine.run(each);
    EXPECT_EQ(ended, 1);
}

TEST(NativeNumbers, LongRunsReuseWhatTheyTook)
{
    // 64 chains over 8 links, their uses of 1 to 3 links, 1,000 steps each.
    NativeEngine engine;
    std::vector<ResourceId> links;
    for (int i = 0; i < 8; ++i) {
        links.push_back(engine.add_resource({"link", 1e9 + i, {}}));
    }
    std::vector<int> left(64, 1000);
    NativeEngine::Footprint early{};
    NativeEngine::Footprint worst{};
    const auto next = [&](std::uint64_t chain) {
        const auto step = left[chain]--;
        if (step == 0) {
            return;
        }
        std::vector<Use> uses;
        for (std::size_t i = 0; i <= (chain + static_cast<std::size_t>(step)) % 3; ++i) {
            uses.push_back({links[(chain * 7 + i * 3 + static_cast<std::size_t>(step)) % 8], 1});
        }
        engine.start({.amount = 1e3 + static_cast<double>(chain), .uses = uses, .token = chain});
        worst = engine.footprint();
        if (step == 800) {
            early = worst;
        }
    };
    for (std::uint64_t chain = 0; chain < 64; ++chain) {
        next(chain);
    }
    Each each{next};
    engine.run(each);
    EXPECT_LE(worst.slots, 64u);
    EXPECT_LE(worst.events, 64u);
    // At most 64 blocks of each of the size classes 1, 2 and 4 can ever be out.
    EXPECT_LE(worst.arena, 64u * 7);
    EXPECT_LE(worst.arena, early.arena + 64 * 2);
    EXPECT_EQ(engine.footprint().events, 0u);
}

}  // namespace

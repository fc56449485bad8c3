#pragma once

#include <rapidcheck.h>

#include "engine/scenario.hpp"

namespace sim::engine::testing
{

/// A factor in [1, 2) that no other arithmetic meets by chance: two engines may round a tie apart,
/// and what is cancelled at the very instant of its end is then a matter of taste.
inline double odd() { return 1 + *rc::gen::inRange(0, 1'000'000'000) * 1e-9; }

inline bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }

inline double random_capacity() { return odd() * *rc::gen::element(1e7, 1e9, 1e9, 1e10); }

inline std::vector<Resource> random_resources()
{
    std::vector<Resource> resources;
    const int count = *rc::gen::inRange(1, 7);
    for (int i = 0; i < count; ++i) {
        Resource one{"r" + std::to_string(i), random_capacity(), {}};
        if (one_in(10)) {
            one.capacity = *rc::gen::element(0.0, kUnlimited);
        }
        double at = 0;
        for (int changes = one_in(2) ? *rc::gen::inRange(0, 4) : 0; changes > 0; --changes) {
            at += odd() * *rc::gen::element(0.01, 0.5);
            one.schedule.push_back(
                {Time::of(at), one_in(4) ? *rc::gen::element(0.0, kUnlimited) : random_capacity()});
        }
        // Most capacities return, so that most runs reach their end.
        if (!one_in(10)) {
            one.schedule.push_back({Time::of(at + odd()), random_capacity()});
        }
        resources.push_back(std::move(one));
    }
    return resources;
}

/// Consumptions are ratios of small numbers: these the SimGrid engine does not round.
inline std::vector<Use> random_uses(std::size_t resources)
{
    std::vector<Use> uses;
    for (int count = *rc::gen::inRange(0, 5); count > 0; --count) {
        uses.push_back({ResourceId{*rc::gen::inRange<std::size_t>(0, resources)},
                        *rc::gen::element(0.0, 0.5, 1.0, 1.0, 1.0, 1.5, 2.0, 3.0, 4.0)});
    }
    return uses;
}

inline Scenario::Work random_work(std::size_t earlier, std::size_t resources)
{
    Scenario::Work work{};
    work.earliest = one_in(2) ? 0 : odd() * *rc::gen::element(1e-6, 0.1, 1.0);
    for (int count = earlier > 0 ? *rc::gen::inRange(0, 4) : 0; count > 1; --count) {
        work.after.push_back(*rc::gen::inRange<std::size_t>(0, earlier));
    }
    work.latency = one_in(2) ? 0 : odd() * *rc::gen::element(1e-9, 1e-6, 0.1);
    work.amount = one_in(10) ? 0 : odd() * *rc::gen::element(1e3, 1e8, 1e9);
    work.uses = random_uses(resources);
    work.share = *rc::gen::element(1.0, 1.0, 1.0, 2.0, 3.0, 0.5, 16.0);
    work.cap = one_in(4) ? random_capacity() / 8 : kUnlimited;
    return work;
}

inline Scenario random_scenario()
{
    Scenario scenario;
    scenario.resources = random_resources();
    const auto resources = scenario.resources.size();
    const auto works = *rc::gen::inRange<std::size_t>(1, 30);
    for (std::size_t i = 0; i < works; ++i) {
        scenario.works.push_back(random_work(i, resources));
    }
    for (int count = *rc::gen::inRange(0, 4); count > 0; --count) {
        const double from = odd() * 0.3;
        scenario.reservations.push_back({*rc::gen::inRange<std::size_t>(0, resources),
                                         random_capacity() / 2, from, from + odd() * 0.3});
    }
    for (int count = *rc::gen::inRange(0, 3); count > 0; --count) {
        scenario.cancellations.push_back({*rc::gen::inRange<std::size_t>(0, works), odd() * 0.5});
    }
    return scenario;
}

/// Runs `cases` random scenarios on both engines; the seed and the count make it the same again.
inline std::string first_difference(std::uint64_t seed, int cases)
{
    rc::detail::TestParams params;
    params.seed = seed;
    params.maxSuccess = cases;
    rc::detail::TestMetadata metadata;
    metadata.id = metadata.description = "both engines agree";
    const auto result = rc::detail::checkTestable(
        [] {
            const auto scenario = random_scenario();
            RC_LOG() << scenario;
            RC_ASSERT(difference(outcome_of(scenario, Kind::native),
                                 outcome_of(scenario, Kind::simgrid)) == "");
        },
        metadata, params);
    if (result.is<rc::detail::SuccessResult>()) {
        return {};
    }
    std::ostringstream words;
    rc::detail::printResultMessage(result, words);
    return words.str();
}

}  // namespace sim::engine::testing

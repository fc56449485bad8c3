#pragma once

#include <string>
#include <vector>

#include <rapidcheck.h>

#include "engine/scenario.hpp"

namespace sim::engine::testing
{

/// Draws scenarios whose consumptions are ratios of small numbers: the SimGrid engine does not
/// round these.
class ScenarioDraw
{
public:
    enum class Numbers {
        odd,    ///< no two events meet by chance
        round,  ///< many do; nothing is cancelled, since what is cancelled at the instant of its
                ///< end is a matter of rounding
    };

    explicit ScenarioDraw(Numbers numbers) : numbers_{numbers} {}

    [[nodiscard]] Scenario scenario() const
    {
        Scenario result;
        result.resources = resources();
        const auto count = *rc::gen::inRange<std::size_t>(1, 30);
        for (std::size_t i = 0; i < count; ++i) {
            result.works.push_back(work(i, result.resources.size()));
        }
        for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
            const double from = factor() * 0.3;
            result.reservations.push_back(
                {index(result.resources.size()), capacity() / 2, from, from + factor() * 0.3});
        }
        const int most = numbers_ == Numbers::odd ? 3 : 1;
        for (int left = *rc::gen::inRange(0, most); left > 0; --left) {
            result.cancellations.push_back({index(count), factor() * 0.5});
        }
        return result;
    }

private:
    [[nodiscard]] double factor() const
    {
        return numbers_ == Numbers::round ? 1 : 1 + *rc::gen::inRange(0, 1'000'000'000) * 1e-9;
    }
    static bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }
    static std::size_t index(std::size_t size) { return *rc::gen::inRange<std::size_t>(0, size); }

    [[nodiscard]] double capacity() const
    {
        return factor() * *rc::gen::element(1e7, 1e9, 1e9, 1e10);
    }

    [[nodiscard]] std::vector<Resource> resources() const
    {
        std::vector<Resource> result;
        const int count = *rc::gen::inRange(1, 7);
        for (int i = 0; i < count; ++i) {
            const bool extreme = one_in(10);
            result.push_back({"r" + std::to_string(i),
                              extreme ? *rc::gen::element(0.0, kUnlimited) : capacity(),
                              schedule()});
        }
        return result;
    }

    [[nodiscard]] std::vector<CapacityChange> schedule() const
    {
        std::vector<CapacityChange> changes;
        double at = 0;
        for (int left = one_in(2) ? *rc::gen::inRange(0, 4) : 0; left > 0; --left) {
            at += factor() * *rc::gen::element(0.01, 0.5);
            const bool extreme = one_in(4);
            changes.push_back(
                {Time::of(at), extreme ? *rc::gen::element(0.0, kUnlimited) : capacity()});
        }
        // Most capacities return, so that most runs reach their end.
        if (!one_in(10)) {
            changes.push_back({Time::of(at + factor()), capacity()});
        }
        return changes;
    }

    [[nodiscard]] Scenario::Work work(std::size_t earlier, std::size_t resources) const
    {
        Scenario::Work result{};
        result.earliest = one_in(2) ? 0 : factor() * *rc::gen::element(1e-6, 0.1, 1.0);
        for (int left = earlier > 0 ? *rc::gen::inRange(0, 3) : 0; left > 0; --left) {
            result.after.push_back(index(earlier));
        }
        result.latency = one_in(2) ? 0 : factor() * *rc::gen::element(1e-9, 1e-6, 0.1);
        result.amount = one_in(10) ? 0 : factor() * *rc::gen::element(1e3, 1e8, 1e9);
        for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
            result.uses.push_back({ResourceId{index(resources)},
                                   *rc::gen::element(0.0, 0.5, 1.0, 1.0, 1.0, 1.5, 2.0, 3.0, 4.0)});
        }
        result.share = *rc::gen::element(1.0, 1.0, 1.0, 2.0, 3.0, 0.5, 16.0);
        result.cap = one_in(4) ? capacity() / 8 : kUnlimited;
        return result;
    }

    Numbers numbers_;
};

/// Runs random scenarios on both engines; empty when they agree, else the smallest scenario found
/// on which they do not. The same seed draws the same scenarios.
inline std::string first_difference(ScenarioDraw draw, std::uint64_t seed, int cases)
{
    rc::detail::TestParams params;
    params.seed = seed;
    params.maxSuccess = cases;
    rc::detail::TestMetadata metadata;
    metadata.id = metadata.description = "both engines agree";
    const auto result = rc::detail::checkTestable(
        [draw] {
            const auto scenario = draw.scenario();
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

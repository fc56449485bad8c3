#include "engine/seam_checks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace sim::engine
{
namespace
{

bool is_amount(double number) { return std::isfinite(number) && number >= 0; }

/// NaN compares false with everything, so "at least" also refuses it.
bool is_capacity(double number) { return number >= 0; }

[[noreturn]] void refuse(std::string_view where, std::string_view what, double number,
                         std::string_view rule)
{
    throw std::invalid_argument(fmt::format("{}: {} is {} ({})", where, what, number, rule));
}

constexpr std::string_view kCapacityRule = "must be 0 or more; infinity is unlimited";
constexpr std::string_view kAmountRule = "must be finite and 0 or more";

std::string activity_words(const Activity& activity, const ResourceNames& names)
{
    std::string words = "activity";
    for (const Use& use : activity.uses) {
        words += fmt::format("{} \"{}\"", words == "activity" ? " on" : ",", names(use.resource));
    }
    return words;
}

}  // namespace

void check_resource(const Resource& resource)
{
    const auto where = [&] { return fmt::format("resource \"{}\"", resource.name); };
    if (!is_capacity(resource.capacity)) {
        refuse(where(), "capacity", resource.capacity, kCapacityRule);
    }
    auto before = Time::of(0);
    for (const CapacityChange& change : resource.schedule) {
        if (!is_amount(change.at.base())) {
            refuse(where(), "the time of a capacity change", change.at.base(), kAmountRule);
        }
        if (change.at < before) {
            refuse(where(), "the time of a capacity change", change.at.base(),
                   fmt::format("must not come before the previous one, {} s", before.base()));
        }
        if (!is_capacity(change.capacity)) {
            refuse(where(), fmt::format("capacity from {} s on", change.at.base()), change.capacity,
                   kCapacityRule);
        }
        before = change.at;
    }
}

void check_activity(const Activity& activity, const ResourceNames& names)
{
    const auto require = [&](bool right, std::string_view what, double number,
                             std::string_view rule) {
        if (!right) {
            refuse(activity_words(activity, names), what, number, rule);
        }
    };
    const double latency = activity.latency.base();
    require(is_amount(activity.amount), "amount", activity.amount, kAmountRule);
    require(is_amount(latency), "latency", latency, kAmountRule);
    require(std::isfinite(activity.share) && activity.share > 0, "share", activity.share,
            "must be finite and above 0");
    require(activity.rate_cap > 0, "rate cap", activity.rate_cap,
            "must be above 0; infinity is none");
    for (const Use& use : activity.uses) {
        if (!is_amount(use.consumption)) {
            refuse(activity_words(activity, names),
                   fmt::format("consumption of \"{}\"", names(use.resource)), use.consumption,
                   kAmountRule);
        }
    }
}

void check_reservation(std::string_view resource, double units)
{
    if (!is_amount(units)) {
        refuse(fmt::format("resource \"{}\"", resource), "reservation", units, kAmountRule);
    }
}

void check_timer(Time at)
{
    if (!is_amount(at.base())) {
        refuse("timer", "time", at.base(), kAmountRule);
    }
}

double usable_capacity(double capacity, double reserved)
{
    if (capacity == kUnlimited) {
        return kUnlimited;
    }
    constexpr double kRounding = 1e-12;
    const double rest = capacity - reserved;
    return rest > capacity * kRounding ? rest : 0;
}

std::string stalled_words(Time now, std::size_t activities,
                          const std::vector<std::string>& resources)
{
    constexpr std::size_t kNamed = 8;
    const auto named = std::min(resources.size(), kNamed);
    std::string names;
    for (std::size_t i = 0; i < named; ++i) {
        names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", resources[i]);
    }
    if (resources.size() > named) {
        names += fmt::format(" and {} more", resources.size() - named);
    }
    return fmt::format(
        "no progress after {} s: {} for capacity that never returns on {}", now.base(),
        activities == 1 ? "1 activity waits" : fmt::format("{} activities wait", activities),
        names);
}

}  // namespace sim::engine

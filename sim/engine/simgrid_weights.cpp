#include "engine/simgrid_weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sim::engine
{
namespace
{

/// A few roundings of one division and one multiplication.
constexpr double kExact = 1e-14;

struct Weighted {
    ResourceId resource;
    double weight;  ///< consumption in units of its resource
};

std::vector<Weighted> merged(std::span<const Use> uses)
{
    std::vector<Weighted> sums;
    sums.reserve(uses.size());
    for (const Use& use : uses) {
        if (use.consumption > 0) {
            sums.push_back({use.resource, use.consumption});
        }
    }
    std::ranges::stable_sort(sums, {}, &Weighted::resource);
    std::vector<Weighted> distinct;
    for (const Weighted& sum : sums) {
        if (!distinct.empty() && distinct.back().resource == sum.resource) {
            distinct.back().weight += sum.weight;
        } else {
            distinct.push_back(sum);
        }
    }
    return distinct;
}

struct Rounding {
    double error;        ///< worst relative error at this multiplier
    double repetitions;  ///< links in the route
};

Rounding rounding(const std::vector<Weighted>& weighted, double multiplier)
{
    Rounding result{0, 0};
    for (const Weighted& one : weighted) {
        const double exact = one.weight * multiplier;
        const double whole = std::max(1.0, std::round(exact));
        result.error = std::max(result.error, std::abs(whole - exact) / exact);
        result.repetitions += whole;
    }
    return result;
}

/// The multiplier under which the lightest use is listed 1, 2, 3, ... times.
double best_multiplier(const std::vector<Weighted>& weighted)
{
    const double limit = 2048 + 16 * static_cast<double>(weighted.size());
    const double lightest = std::ranges::min(weighted, {}, &Weighted::weight).weight;
    double best = 1 / lightest;
    double sum = 0;
    for (const Weighted& one : weighted) {
        sum += one.weight;
    }
    if (sum * best > limit) {
        return limit / sum;
    }
    double least = rounding(weighted, best).error;
    for (double times = 2; least > kExact && times / lightest * sum <= limit; ++times) {
        const double error = rounding(weighted, times / lightest).error;
        if (error < least) {
            least = error;
            best = times / lightest;
        }
    }
    return best;
}

}  // namespace

WholeWeights WeightScale::whole(std::span<const Use> uses)
{
    auto weighted = merged(uses);
    if (weighted.empty()) {
        return {};
    }
    for (Weighted& one : weighted) {
        double& unit = units_[one.resource.index()];
        if (unit == 0) {
            unit = one.weight;
        }
        one.weight /= unit;
    }
    const double multiplier = best_multiplier(weighted);
    WholeWeights result;
    result.scale = 1 / multiplier;
    result.error = rounding(weighted, multiplier).error;
    if (result.error <= kExact) {
        result.error = 0;
    }
    result.parts.reserve(weighted.size());
    for (const Weighted& one : weighted) {
        const double times = std::max(1.0, std::round(one.weight * multiplier));
        result.parts.push_back({one.resource, static_cast<std::uint32_t>(times)});
    }
    // SimGrid looks for a link among those it has met in this route: long runs first keep it short.
    std::ranges::stable_sort(result.parts, std::greater{}, &WholeWeights::Part::times);
    return result;
}

double WeightScale::unit(ResourceId resource) const
{
    const double unit = units_[resource.index()];
    return unit == 0 ? 1 : unit;
}

}  // namespace sim::engine

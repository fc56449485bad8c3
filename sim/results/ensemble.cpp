#include "results/ensemble.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "results/run_detail.hpp"
#include "results/spread.hpp"

namespace sim::results
{
namespace
{

constexpr double Statistics::*kColumns[] = {&Statistics::mean, &Statistics::p5, &Statistics::p95,
                                            &Statistics::min, &Statistics::max};

using Spreads = std::vector<std::optional<Spread>>;

Spreads spreads_of(const Points& points)
{
    Spreads spreads;
    for (const auto& point : points.set.points) {
        spreads.push_back(point.status == Status::done ? std::optional{spread(point)}
                                                       : std::nullopt);
    }
    return spreads;
}

/// Of the entry that is called so; all 0 where the point has none.
template <class Entry>
Statistics find(const std::vector<Entry>& entries, std::string Entry::*name,
                const std::string& wanted, Statistics Entry::*number)
{
    for (const auto& entry : entries) {
        if (entry.*name == wanted) {
            return entry.*number;
        }
    }
    return {};
}

/// Dimensions: the axes, the statistic, then `inner`.
template <class Of>
Variable of_spread(const Points& points, const Spreads& spreads, Label label,
                   const std::string& inner, std::size_t count, Of of)
{
    std::vector<double> values;
    for (const auto& found : spreads) {
        for (const auto column : kColumns) {
            for (std::size_t i = 0; i < count; ++i) {
                values.push_back(found ? of(*found, i).*column : absent<double>());
            }
        }
    }
    auto dimensions = points.axes;
    dimensions.emplace_back("statistic");
    dimensions.push_back(inner);
    return {std::move(label.name), std::move(dimensions), std::move(values), std::move(label.units),
            std::move(label.long_name)};
}

Variable of_statistics(const Points& points, Label label, Statistics Summary::*number)
{
    return per_point<double>(
        points, std::move(label), "statistic", std::size(kColumns),
        [&](const Summary& s, std::size_t i) { return s.*number.*kColumns[i]; });
}

}  // namespace

Group spread_group(const Points& points)
{
    auto group = with_axes(points, "spread");
    auto& v = group.variables;
    v.push_back(words("statistic", {"mean", "p5", "p95", "min", "max"}, "over the seeds"));
    v.push_back(of_statistics(points, {"step_time", "s", "steady time of a training step"},
                              &Summary::step));
    v.push_back(of_statistics(points,
                              {"tokens_per_second", "tokens/s", "tokens trained on, whole job"},
                              &Summary::tokens_per_second));
    v.push_back(of_statistics(points,
                              {"tokens_per_second_per_gpu", "tokens/s", "tokens trained on, a GPU"},
                              &Summary::tokens_per_second_per_gpu));
    v.push_back(of_statistics(points,
                              {"model_flops_per_second_per_gpu", "FLOP/s", "model FLOPs, a GPU"},
                              &Summary::model_flops_per_second_per_gpu));
    v.push_back(of_statistics(points, {"mfu", "1", "model FLOPs utilisation"}, &Summary::mfu));
    v.push_back(of_statistics(points, {"hfu", "1", "hardware FLOPs utilisation"}, &Summary::hfu));
    const auto spreads = spreads_of(points);
    v.push_back(words("entry", entry_names(), "what a rank was doing"));
    v.push_back(words("purpose", points.purposes, "why the ranks talk"));
    v.push_back(words("resource", points.resources, "class of resources"));
    v.push_back(of_spread(
        points, spreads, {"ledger_time", "s", "mean over ranks, each entry alone"}, "entry",
        replay::kEntries, [](const Spread& s, std::size_t i) { return s.ledger[i]; }));
    using P = PurposeSpread;
    const auto of_purpose = [&](Label label, Statistics P::*number) {
        v.push_back(of_spread(points, spreads, std::move(label), "purpose", points.purposes.size(),
                              [&, number](const Spread& s, std::size_t i) {
                                  return find(s.communication, &P::purpose, points.purposes[i],
                                              number);
                              }));
    };
    of_purpose({"exposed", "s", "time without compute beside it, mean of ranks"}, &P::exposed);
    of_purpose({"hidden", "s", "time with compute beside it, mean of ranks"}, &P::hidden);
    using R = ResourceSpread;
    const auto of_resource = [&](Label label, Statistics R::*number) {
        v.push_back(of_spread(points, spreads, std::move(label), "resource",
                              points.resources.size(), [&, number](const Spread& s, std::size_t i) {
                                  return find(s.resources, &R::name, points.resources[i], number);
                              }));
    };
    of_resource({"mean_utilisation", "1", "over the step and the members"}, &R::mean_utilisation);
    of_resource({"peak_utilisation", "1", "over the step, busiest member"}, &R::peak_utilisation);
    return group;
}

Group replicates_group(const Points& points)
{
    std::size_t most = 1;
    for (const auto& point : points.set.points) {
        most = std::max(most, point.runs.size());
    }
    std::vector<double> step;
    for (const auto& point : points.set.points) {
        for (std::size_t r = 0; r < most; ++r) {
            step.push_back(r < point.runs.size() ? point.runs[r].result.step.base()
                                                 : absent<double>());
        }
    }
    auto group = with_axes(points, "replicates");
    auto dimensions = points.axes;
    dimensions.emplace_back("replicate");
    group.variables.push_back(numbers("replicate", most, "added to the experiment's seed"));
    group.variables.push_back({"step_time", dimensions, std::move(step), "s",
                               "steady time of a training step, one seed"});
    return group;
}

}  // namespace sim::results

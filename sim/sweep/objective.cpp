#include "sweep/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/diagnostics.hpp"
#include "results/economics.hpp"

namespace sim::sweep
{
namespace
{

bool known(const std::vector<double>& values)
{
    return std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
}

/// No worse in any goal and better in one.
bool dominates(const std::vector<double>& a, const std::vector<double>& b)
{
    bool better = false;
    for (std::size_t g = 0; g < a.size(); ++g) {
        if (a[g] > b[g]) {
            return false;
        }
        better |= a[g] < b[g];
    }
    return better;
}

bool is_of_a_name(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// "gpu_memory is 9e+10 B" for every metric the text names.
std::string numbers_named(const std::string& text, const results::Point& point)
{
    std::string told;
    for (const auto& metric : spec::metrics()) {
        const auto at = text.find(metric.name);
        const auto after = at + metric.name.size();
        if (at == std::string::npos || (at > 0 && is_of_a_name(text[at - 1])) ||
            (after < text.size() && is_of_a_name(text[after]))) {
            continue;
        }
        const double value = results::metric(point, metric.name);
        told += told.empty() ? "" : ", ";
        told += std::isnan(value) ? metric.name + " is not known"
                                  : fmt::format("{} is {:.4g}{}", metric.name, value,
                                                spec::metric_unit(metric.name));
    }
    return told;
}

}  // namespace

Judge::Judge(const spec::Objective& objective)
    : goals_{objective.goals}, texts_{objective.constraints}
{
    for (const auto& text : objective.constraints) {
        constraints_.emplace_back(text, spec::metric_names(), "metric");
    }
}

bool Judge::meets(const results::Point& point) const
{
    if (point.status != results::Status::done || point.metrics.empty()) {
        return false;
    }
    for (std::size_t c = 0; c < constraints_.size(); ++c) {
        if (!holds(c, point)) {
            return false;
        }
    }
    return true;
}

bool Judge::holds(std::size_t constraint, const results::Point& point) const
{
    try {
        return constraints_[constraint].value(point.metrics) != 0;
    } catch (const InputError&) {
        return false;
    }
}

std::string Judge::shortfall(const results::Point& point) const
{
    std::string told;
    if (point.metrics.empty()) {
        return told;
    }
    for (std::size_t c = 0; c < constraints_.size(); ++c) {
        if (!holds(c, point)) {
            told += fmt::format("{}{} does not hold: {}", told.empty() ? "" : "; ", texts_[c],
                                numbers_named(texts_[c], point));
        }
    }
    return told;
}

std::vector<double> Judge::values(const results::Point& point) const
{
    std::vector<double> values;
    for (const auto& goal : goals_) {
        const double value = results::metric(point, goal.metric);
        values.push_back(goal.maximise ? -value : value);
    }
    return values;
}

double Judge::value(const results::Point& point) const
{
    return meets(point) ? values(point).front() : std::nan("");
}

std::string Judge::words(double value) const
{
    const auto& goal = goals_.front();
    return fmt::format("{} {:.4g}{}", goal.metric, goal.maximise ? -value : value,
                       spec::metric_unit(goal.metric));
}

results::Ranking Judge::rank(const std::vector<results::Point>& points) const
{
    results::Ranking ranking;
    for (const auto& goal : goals_) {
        ranking.goals.push_back(goal.metric);
    }
    ranking.meets.resize(points.size());
    ranking.front.resize(points.size());
    std::vector<std::pair<std::vector<double>, std::size_t>> candidates;
    for (std::size_t p = 0; p < points.size(); ++p) {
        ranking.meets[p] = meets(points[p]);
        auto found = values(points[p]);
        if (ranking.meets[p] && known(found)) {
            candidates.emplace_back(std::move(found), p);
        }
    }
    // In order of the first goal a point is dominated, if at all, by one that came before.
    std::sort(candidates.begin(), candidates.end());
    std::vector<std::size_t> front;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        const auto& found = candidates[c].first;
        if (std::none_of(front.begin(), front.end(),
                         [&](auto f) { return dominates(candidates[f].first, found); })) {
            front.push_back(c);
            ranking.front[candidates[c].second] = true;
        }
    }
    if (!candidates.empty()) {
        ranking.best = candidates.front().second;
    }
    return ranking;
}

}  // namespace sim::sweep

#pragma once

#include <string>
#include <vector>

#include "config/expression.hpp"
#include "results/result_set.hpp"
#include "spec/sweep.hpp"

namespace sim::sweep
{

/// Compares points by what a sweep looks for.
class Judge
{
public:
    explicit Judge(const spec::Objective& objective);

    /// Done, and every constraint holds. A constraint over a metric that is not known does not.
    [[nodiscard]] bool meets(const results::Point& point) const;

    /// The constraints that do not hold at a point that is done, each with the numbers it names;
    /// empty when the point meets all of them, and when it carries no metrics.
    [[nodiscard]] std::string shortfall(const results::Point& point) const;

    /// By the first goal, less is better; NaN where the point does not meet the constraints or the
    /// goal is not known.
    [[nodiscard]] double value(const results::Point& point) const;

    /// "step_time 6.94 s" for a `value`.
    [[nodiscard]] std::string words(double value) const;

    [[nodiscard]] results::Ranking rank(const std::vector<results::Point>& points) const;

private:
    [[nodiscard]] bool holds(std::size_t constraint, const results::Point& point) const;
    [[nodiscard]] std::vector<double> values(const results::Point& point) const;

    std::vector<spec::Objective::Goal> goals_;
    std::vector<std::string> texts_;  ///< of the constraints
    std::vector<config::Expression> constraints_;
};

}  // namespace sim::sweep

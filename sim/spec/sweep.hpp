#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sim::spec
{

/// `key` takes `text` at this point of the sweep.
struct Setting {
    std::string key{};
    std::string text{};
};

struct AxisValue {
    std::string label{};
    std::vector<Setting> settings{};
};

/// One dimension of a sweep.
struct Axis {
    std::string name{};
    std::vector<AxisValue> values{};
    std::string when{};  ///< expression of other axes; where it is 0 the axis sets nothing and only
                         ///< its first value stands for the point. Empty: always
};

/// A key that follows from the axes.
struct Derived {
    std::string key{};
    std::string expression{};
    std::string unit{};  ///< written behind the number; may be empty
};

/// Points it matches are kept (`include`) or left out (`exclude`): those whose every named axis has
/// one of the labels, or those where the expression is not 0.
struct PointRule {
    std::vector<std::pair<std::string, std::vector<std::string>>> labels{};
    std::string expression{};
};

/// A file that points can be made from.
struct Base {
    std::string label{};
    std::string path{};  ///< ready to be opened
};

/// What is looked for among the points, and what a point must keep to.
struct Objective {
    struct Goal {
        std::string metric{};
        bool maximise = false;
    };
    std::vector<Goal> goals{};  ///< the first decides; all of them span the Pareto front
    std::vector<std::string> constraints{};  ///< expressions of metrics, each not 0 where it holds
};

/// Successive halving: every point at a coarse fidelity, the best of them again as they are.
struct Search {
    std::string coarse{};  ///< fidelity of the first round
    double keep = 1;       ///< part of the points that goes on, above 0 and up to 1
};

/// A key of the parallel plan to try; without values those that could divide the job.
struct PlanKey {
    std::string key{};
    std::vector<std::string> values{};
};

/// Axes and what is left of their product, each point an experiment.
struct SweepSpec {
    std::string name{};
    std::vector<Base> bases{};
    std::vector<Axis> axes{};      ///< one called "base" comes first when there are several
    std::vector<PlanKey> plans{};  ///< become the last axis, "plan"
    std::vector<Derived> derived{};
    std::vector<PointRule> include{};  ///< empty: all
    std::vector<PointRule> exclude{};
    std::optional<Objective> objective{};
    std::optional<Search> search{};
    int seeds = 1;         ///< runs a point whose answer depends on the seed gets
    std::string output{};  ///< path of the result set; may be empty
};

/// What an expression of the sweep may name: every axis, then every key that an axis sets.
[[nodiscard]] std::vector<std::string> variable_names(const SweepSpec& sweep);

/// A number of a point that an objective may name, and its unit.
struct Metric {
    std::string name{};
    std::string unit{};
    std::string meaning{};
    bool costs = false;  ///< sim/results/economics.md
};
[[nodiscard]] const std::vector<Metric>& metrics();
[[nodiscard]] std::vector<std::string> metric_names();
/// " s" to stand behind a number of it; empty for a share or a count.
[[nodiscard]] std::string metric_unit(const std::string& metric);

/// "nodes" of "cluster.nodes".
[[nodiscard]] std::string last_part(const std::string& key);

/// What the key "base" of a setting means: the point is made from another file.
inline constexpr const char* kBaseKey = "base";

/// Points of one sweep, at most: each takes a few bytes of every plan.
inline constexpr double kMostPoints = 1e7;

}  // namespace sim::spec

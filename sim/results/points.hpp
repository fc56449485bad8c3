#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/summary.hpp"

namespace sim::results
{

/// A result set with its summaries and the union of the names its points speak of.
struct Points {
    explicit Points(const ResultSet& results);

    const ResultSet& set;
    std::vector<std::optional<Summary>> summaries;  ///< absent where the point is not done
    std::vector<std::string> axes;
    std::vector<std::string> purposes;   ///< in order of first appearance
    std::vector<std::string> resources;  ///< in order of first appearance
};

/// How a variable is called and what it measures.
struct Label {
    std::string name;
    std::string units;
    std::string long_name;
};

/// What a point that is not done has: no number, no count, no word.
template <class T>
[[nodiscard]] T absent()
{
    if constexpr (std::is_same_v<T, double>) {
        return std::numeric_limits<double>::quiet_NaN();
    } else {
        return T{};
    }
}

/// Dimensions: the axes, then `inner`. `of(summary, i)` gives the i-th of `count` inner values.
template <class T, class Of>
[[nodiscard]] Variable per_point(const Points& points, Label label, const std::string& inner,
                                 std::size_t count, Of of)
{
    std::vector<T> values;
    values.reserve(points.summaries.size() * count);
    for (const auto& summary : points.summaries) {
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(summary ? of(*summary, i) : absent<T>());
        }
    }
    auto dimensions = points.axes;
    if (!inner.empty()) {
        dimensions.push_back(inner);
    }
    return {std::move(label.name), std::move(dimensions), std::move(values), std::move(label.units),
            std::move(label.long_name)};
}

/// A coordinate of words.
[[nodiscard]] Variable words(const std::string& name, std::vector<std::string> values,
                             const std::string& long_name);

/// A coordinate of numbers from 0.
[[nodiscard]] Variable numbers(const std::string& name, std::size_t count,
                               const std::string& long_name);

/// A group that begins with the axes' coordinates.
[[nodiscard]] Group with_axes(const Points& points, const std::string& name);

}  // namespace sim::results

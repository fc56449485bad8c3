#include "results/points.hpp"

#include <algorithm>
#include <numeric>

#include "results/schema.hpp"

namespace sim::results
{
namespace
{

void add_new(std::vector<std::string>& names, const std::string& name)
{
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
    }
}

}  // namespace

Points::Points(const ResultSet& results) : set{results}, axes{axis_names(results)}
{
    for (const auto& point : set.points) {
        summaries.push_back(point.status == Status::done ? std::optional{summarise(point)}
                                                         : std::nullopt);
        if (!summaries.back()) {
            continue;
        }
        for (const auto& purpose : summaries.back()->communication) {
            add_new(purposes, purpose.purpose);
        }
        for (const auto& resource : summaries.back()->resources) {
            add_new(resources, resource.name);
        }
    }
}

Variable words(const std::string& name, std::vector<std::string> values,
               const std::string& long_name)
{
    return {name, {name}, std::move(values), "", long_name};
}

Variable numbers(const std::string& name, std::size_t count, const std::string& long_name)
{
    std::vector<std::int64_t> values(count);
    std::iota(values.begin(), values.end(), std::int64_t{0});
    return {name, {name}, std::move(values), "1", long_name};
}

Group with_axes(const Points& points, const std::string& name)
{
    Group group{name, {}};
    for (std::size_t a = 0; a < points.axes.size(); ++a) {
        std::vector<std::string> labels;
        for (const auto& value : points.set.axes[a].values) {
            labels.push_back(value.label);
        }
        group.variables.push_back(words(points.axes[a], std::move(labels), "axis of the sweep"));
    }
    return group;
}

}  // namespace sim::results

#include <fmt/format.h>

#include <cmath>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "results/economics.hpp"
#include "results/verdict.hpp"

namespace sim::cli
{
namespace
{

std::vector<std::string> labels(const results::ResultSet& set, std::size_t point)
{
    std::vector<std::string> labels(set.axes.size());
    for (auto a = set.axes.size(); a-- > 0;) {
        const auto& values = set.axes[a].values;
        labels[a] = values[point % values.size()].label;
        point /= values.size();
    }
    return labels;
}

std::string number(const results::Point& point, const std::string& metric)
{
    const double value = results::metric(point, metric);
    return std::isnan(value) ? "-" : fmt::format("{:.4g}", value);
}

}  // namespace

std::string ranking_table(const results::ResultSet& set)
{
    const auto& ranking = *set.ranking;
    if (!ranking.best) {
        return "no point that is done meets the constraints and has the goals' numbers\n";
    }
    Table table;
    for (const auto& axis : set.axes) {
        table.column(spec::last_part(axis.name), Table::Align::left);
    }
    for (const auto& goal : ranking.goals) {
        table.column(goal + spec::metric_unit(goal));
    }
    for (std::size_t p = 0; p < set.points.size(); ++p) {
        if (!ranking.front[p]) {
            continue;
        }
        auto cells = labels(set, p);
        for (const auto& goal : ranking.goals) {
            cells.push_back(number(set.points[p], goal));
        }
        table.row(std::move(cells));
    }
    const auto& first = ranking.goals.front();
    const auto best =
        fmt::format("best by {}: {} ({}{})\n", first, fmt::join(labels(set, *ranking.best), ", "),
                    number(set.points[*ranking.best], first), spec::metric_unit(first));
    return ranking.goals.size() == 1 ? best : best + "\nPareto front\n" + table.text();
}

}  // namespace sim::cli

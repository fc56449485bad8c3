#include "cli/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "cli/numbers.hpp"
#include "cli/table.hpp"

namespace sim::cli
{
namespace
{

/// More would not be read by anybody.
constexpr std::size_t kMostShown = 1000;

double seconds_of(const std::vector<config::Override>& settings, const sweep::Steps& steps,
                  const sweep::PointOptions& options)
{
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(sweep::attempt(settings, steps, options));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string plan_text(const sweep::Space& space, const config::LoadedSweep& sweep,
                      const std::vector<std::size_t>& points, const sweep::Steps& steps,
                      const sweep::Options& options)
{
    Table table;
    for (const auto& axis : sweep.spec.axes) {
        table.column(axis.name, Table::Align::left);
    }
    table.column("id", Table::Align::left);
    for (std::size_t i = 0; i < std::min(points.size(), kMostShown); ++i) {
        auto cells = space.labels(points[i]);
        cells.push_back(fmt::format("{:016x}", space.id(points[i])));
        table.row(std::move(cells));
    }
    auto text = table.text();
    if (points.size() > kMostShown) {
        text += fmt::format("... and {} more\n", points.size() - kMostShown);
    }
    double spent = 0;
    const std::set<std::size_t> samples{0, points.size() / 2, points.size() - 1};
    for (const auto sample : samples) {
        spent += seconds_of(space.settings(points[sample]), steps, options.point);
    }
    const double all = spent / static_cast<double>(samples.size()) *
                       static_cast<double>(points.size()) / options.workers;
    return text + fmt::format("\n{} points of {}, about {} with {} {}\n", points.size(),
                              space.size(), seconds(all), options.workers,
                              options.workers == 1 ? "worker" : "workers");
}

}  // namespace sim::cli

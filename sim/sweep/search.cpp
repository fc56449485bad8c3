#include "sweep/search.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace sim::sweep
{
namespace
{

/// So that a coarse record is never taken for a full one.
constexpr std::uint64_t kCoarse = 0x636f61727365;

}  // namespace

std::vector<Task> coarse_tasks(const std::vector<Task>& tasks, const spec::Search& search)
{
    auto coarse = tasks;
    for (auto& task : coarse) {
        task.id = mix(task.id, kCoarse + (search.coarse == "analytic" ? 0 : 1));
        task.extra.push_back({"fidelity", search.coarse});
    }
    return coarse;
}

std::vector<Task> promising(const std::vector<Task>& tasks, const results::ResultSet& round,
                            const Judge& judge, const spec::Search& search)
{
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        const double value = judge.value(round.points[tasks[t].point]);
        if (!std::isnan(value)) {
            ranked.emplace_back(value, t);
        }
    }
    std::sort(ranked.begin(), ranked.end());
    const auto wanted =
        static_cast<std::size_t>(std::ceil(search.keep * static_cast<double>(tasks.size())));
    ranked.resize(std::min(ranked.size(), std::max<std::size_t>(1, wanted)));
    std::sort(ranked.begin(), ranked.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<Task> kept;
    for (const auto& [value, t] : ranked) {
        kept.push_back(tasks[t]);
    }
    return kept;
}

}  // namespace sim::sweep

#include "sweep/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace sim::sweep
{
namespace
{

/// So that a coarse record is never taken for a full one.
constexpr std::uint64_t kCoarse = 0x636f61727365;

/// A task and what it is worth in a round.
struct Ranked {
    double value = 0;
    std::size_t task = 0;
    friend bool operator<(const Ranked& a, const Ranked& b)
    {
        return std::pair{a.value, a.task} < std::pair{b.value, b.task};
    }
};

results::Point left_out(std::string why)
{
    results::Point point;
    point.status = results::Status::left_out;
    point.message = std::move(why);
    return point;
}

/// A point that has no rank in the round.
results::Point unranked(const results::Point& point, const Judge& judge, const std::string& round)
{
    if (point.status == results::Status::failed) {
        auto failed = left_out(point.message);
        failed.status = results::Status::failed;
        return failed;
    }
    if (point.status != results::Status::done) {
        return left_out(fmt::format("{} round: {}", round, point.message));
    }
    const auto shortfall = judge.shortfall(point);
    return left_out(fmt::format("{} round: {}", round,
                                shortfall.empty() ? "the objective is not known" : shortfall));
}

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

Selection promising(const std::vector<Task>& tasks, const results::ResultSet& round,
                    const Judge& judge, const spec::Search& search)
{
    Selection selection;
    std::vector<Ranked> ranked;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        const auto& point = round.points[tasks[t].point];
        const double value = judge.value(point);
        if (std::isnan(value)) {
            selection.dropped.emplace_back(tasks[t].point, unranked(point, judge, search.coarse));
        } else {
            ranked.push_back({value, t});
        }
    }
    std::sort(ranked.begin(), ranked.end());
    const auto wanted =
        static_cast<std::size_t>(std::ceil(search.keep * static_cast<double>(tasks.size())));
    const auto kept = std::min(ranked.size(), std::max<std::size_t>(1, wanted));
    for (std::size_t r = kept; r < ranked.size(); ++r) {
        const auto why =
            fmt::format("{} round: {} is number {} of {}; number {}, the last that went on, has {}",
                        search.coarse, judge.words(ranked[r].value), r + 1, ranked.size(), kept,
                        judge.words(ranked[kept - 1].value));
        selection.dropped.emplace_back(tasks[ranked[r].task].point, left_out(why));
    }
    ranked.resize(kept);
    std::sort(ranked.begin(), ranked.end(),
              [](const Ranked& a, const Ranked& b) { return a.task < b.task; });
    for (const auto& one : ranked) {
        selection.kept.push_back(tasks[one.task]);
    }
    return selection;
}

void give_reasons(results::ResultSet& set, const Selection& selection, const Judge& judge)
{
    for (const auto& [point, dropped] : selection.dropped) {
        set.points[point] = dropped;
    }
    for (auto& point : set.points) {
        if (point.status == results::Status::done && point.message.empty()) {
            point.message = judge.shortfall(point);
        }
    }
}

}  // namespace sim::sweep

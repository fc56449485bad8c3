#include "cli/watched_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/numbers.hpp"
#include "cli/table.hpp"

namespace sim::cli
{
namespace
{

constexpr double kNothing = 5e-4;  ///< of the step: not worth a line

struct Row {
    double path = 0;
    double kernels = 0;
    double transfers = 0;
};

/// In the order of the path, then of the resources.
std::vector<std::pair<std::string, Row>> rows_of(const replay::Result& result)
{
    std::vector<std::pair<std::string, Row>> rows;
    const auto row = [&](const std::string& name) -> Row& {
        const auto found = std::find_if(rows.begin(), rows.end(),
                                        [&](const auto& own) { return own.first == name; });
        return found != rows.end() ? found->second : rows.emplace_back(name, Row{}).second;
    };
    for (const auto& share : result.observed->critical) {
        row(share.what).path = share.time.base();
    }
    double ranks = 0;
    for (const auto& rank_class : result.classes) {
        ranks += static_cast<double>(rank_class.multiplicity);
    }
    for (const auto& rank_class : result.classes) {
        const double part = static_cast<double>(rank_class.multiplicity) / ranks;
        for (const auto& lost : rank_class.lost) {
            row(lost.resource).kernels += part * lost.kernels.base();
            row(lost.resource).transfers += part * lost.transfers.base();
        }
    }
    return rows;
}

std::string longest_wait(const replay::Result& result)
{
    const replay::RankClass* who = nullptr;
    for (const auto& rank_class : result.classes) {
        if (!rank_class.waited.empty() &&
            (who == nullptr || rank_class.waited[0].time > who->waited[0].time)) {
            who = &rank_class;
        }
    }
    if (who == nullptr || who->waited[0].time < kNothing * result.step) {
        return "";
    }
    return fmt::format(
        "longest wait: rank {}{} for rank {}, {}\n", who->members.front(),
        who->members.size() > 1 ? fmt::format(" and {} like it", who->members.size() - 1) : "",
        who->waited[0].rank, seconds(who->waited[0].time.base()));
}

}  // namespace

std::string watched_table(const replay::Result& result)
{
    if (!result.observed) {
        return "";
    }
    Table table;
    table.column("what decides the step", Table::Align::left);
    table.column("on the critical path");
    table.column("share");
    table.column("kernels lost to it");
    table.column("transfers lost to it");
    const double step = result.step.base();
    for (const auto& [name, row] : rows_of(result)) {
        if (std::max({row.path, row.kernels, row.transfers}) >= kNothing * step) {
            table.row({name, seconds(row.path), percent(row.path / step), seconds(row.kernels),
                       seconds(row.transfers)});
        }
    }
    return table.text() + longest_wait(result);
}

}  // namespace sim::cli

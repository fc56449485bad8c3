#include "cli/validate_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cli/table.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

constexpr double kMiB = 1024.0 * 1024.0;

struct Range {
    const char* name;
    double from;
    double to;  ///< excluded
};

constexpr std::array<Range, 4> kRanges{{{"< 1 MiB", 0, kMiB},
                                        {"1 to 64 MiB", kMiB, 64 * kMiB + 1},
                                        {">= 1 MiB", kMiB, 1e30},
                                        {">= 256 MiB", 256 * kMiB, 1e30}}};

/// |error| of some rows, ascending.
using Errors = std::vector<double>;

std::string cell(Errors errors)
{
    if (errors.empty()) {
        return "-";
    }
    std::sort(errors.begin(), errors.end());
    return fmt::format("{} rows {:.1f} / {:.1f} %", errors.size(),
                       100 * results::percentile(errors, 0.5),
                       100 * results::percentile(errors, 0.9));
}

Errors within(const Range& range, const std::vector<const ValidatedRow*>& rows)
{
    Errors errors;
    for (const auto* row : rows) {
        const auto error = row->error();
        if (error && row->size >= range.from && row->size < range.to) {
            errors.push_back(std::abs(*error));
        }
    }
    return errors;
}

std::string not_simulated(const std::vector<ValidatedRow>& rows)
{
    std::vector<std::pair<std::string, std::size_t>> reasons;
    for (const auto& row : rows) {
        if (row.reason.empty()) {
            continue;
        }
        const auto words = fmt::format("{}: {}", row.set, row.reason);
        const auto known = std::find_if(reasons.begin(), reasons.end(),
                                        [&](const auto& entry) { return entry.first == words; });
        if (known == reasons.end()) {
            reasons.emplace_back(words, 1);
        } else {
            ++known->second;
        }
    }
    std::string text;
    for (const auto& [words, count] : reasons) {
        text += fmt::format("not simulated: {} rows of {}\n", count, words);
    }
    return text;
}

std::string taken_by_columns(const std::vector<ValidatedRow>& rows)
{
    std::map<std::string, std::size_t> sets;
    for (const auto& row : rows) {
        sets[row.set] += row.by_columns ? 1 : 0;
    }
    std::string text;
    for (const auto& [set, count] : sets) {
        if (count > 0) {
            text += fmt::format(
                "machine taken from the columns gpu, nic and fabric: {} rows of {}\n", count, set);
        }
    }
    return text;
}

}  // namespace

std::string validation_table(const std::vector<ValidatedRow>& rows)
{
    std::map<std::string, std::vector<const ValidatedRow*>> sets;
    std::vector<std::string> order;
    std::vector<const ValidatedRow*> all;
    std::vector<const ValidatedRow*> blind;
    std::size_t unhealthy = 0;
    for (const auto& row : rows) {
        if (!row.healthy) {
            ++unhealthy;
            continue;
        }
        if (sets.find(row.set) == sets.end()) {
            order.push_back(row.set);
        }
        sets[row.set].push_back(&row);
        all.push_back(&row);
        if (row.blind) {
            blind.push_back(&row);
        }
    }
    Table table;
    table.column("set", Table::Align::left);
    table.column("rows");
    for (const auto& range : kRanges) {
        table.column(range.name);
    }
    const auto add = [&](const std::string& name, const std::vector<const ValidatedRow*>& part) {
        std::vector<std::string> cells{name, std::to_string(part.size())};
        for (const auto& range : kRanges) {
            cells.push_back(cell(within(range, part)));
        }
        table.row(cells);
    };
    for (const auto& name : order) {
        add(name, sets[name]);
    }
    add("all", all);
    add("of them blind", blind);
    return "# median / 90th percentile of |simulated / measured - 1|, healthy rows\n" +
           table.text() + fmt::format("left out: {} rows that are not healthy\n", unhealthy) +
           not_simulated(rows) + taken_by_columns(rows);
}

std::string validation_summary(const std::vector<ValidatedRow>& rows)
{
    std::vector<const ValidatedRow*> all;
    std::vector<const ValidatedRow*> blind;
    for (const auto& row : rows) {
        if (row.healthy) {
            all.push_back(&row);
        }
        if (row.healthy && row.blind) {
            blind.push_back(&row);
        }
    }
    std::string text =
        "| sizes | rows, median / 90th percentile of the error | of them blind "
        "|\n|---|---:|---:|\n";
    for (const auto& range : kRanges) {
        text += fmt::format("| {} | {} | {} |\n", range.name, cell(within(range, all)),
                            cell(within(range, blind)));
    }
    return text;
}

std::string validation_csv(const CsvTable& table, const std::vector<ValidatedRow>& rows)
{
    std::string text =
        "set_id,system,collective,n_gpus,n_nodes,size_bytes,healthy,measured_s,predicted_s,"
        "predicted_time_us,error,algorithm,protocol,bound_by,blind,reason\n";
    for (const auto& row : rows) {
        for (const auto* column :
             {"set_id", "system", "collective", "n_gpus", "n_nodes", "size_bytes", "healthy"}) {
            text += csv_cell(table.at(row.row, column)) + ",";
        }
        text += (row.measured ? fmt::format("{}", *row.measured) : "") + ",";
        if (row.simulated) {
            const auto time = row.simulated->time.base();
            text += fmt::format("{},{},", time, time * 1e6);
        } else {
            text += ",,";
        }
        const auto error = row.error();
        text += (error ? fmt::format("{}", *error) : "") + ",";
        text += row.simulated ? fmt::format("{},{},{},", row.simulated->algorithm,
                                            row.simulated->protocol, row.simulated->binding)
                              : ",,,";
        text += fmt::format("{},{}\n", row.blind ? "yes" : "no", csv_cell(row.reason));
    }
    return text;
}

}  // namespace sim::cli

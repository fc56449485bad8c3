#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cli/step_rows.hpp"
#include "cli/table.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

constexpr std::size_t kLeastOfSweep = 5;  ///< rows that make a rank correlation worth printing

using Rows = std::vector<const StepRow*>;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::vector<double> ranks(const std::vector<double>& values)
{
    std::vector<double> result;
    for (const auto value : values) {
        const auto below = std::count_if(values.begin(), values.end(),
                                         [&](double other) { return other < value; });
        const auto equal = std::count(values.begin(), values.end(), value);
        result.push_back(static_cast<double>(below) + static_cast<double>(equal - 1) / 2);
    }
    return result;
}

/// Spearman's: of the ranks of both columns.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b)
{
    const auto x = ranks(a);
    const auto y = ranks(b);
    const auto n = static_cast<double>(x.size());
    const double mean = (n - 1) / 2;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

/// Median over the sweeps of these rows.
std::string sweeps_of(const Rows& rows)
{
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> sweeps;
    for (const auto* row : rows) {
        auto& [predicted, measured] = sweeps[row->sweep];
        predicted.push_back(*row->predicted);
        measured.push_back(*row->measured);
    }
    std::vector<double> found;
    for (const auto& [key, pair] : sweeps) {
        if (pair.first.size() >= kLeastOfSweep) {
            found.push_back(rank_correlation(pair.first, pair.second));
        }
    }
    if (found.empty()) {
        return "-";
    }
    std::sort(found.begin(), found.end());
    return fmt::format("{:.2f} of {}", results::percentile(found, 0.5), found.size());
}

struct Errors {
    double median = 0;
    double ninetieth = 0;
    double median_signed = 0;
};

Errors errors_of(const Rows& rows)
{
    std::vector<double> with_sign;
    std::vector<double> errors;
    for (const auto* row : rows) {
        with_sign.push_back(*row->error());
        errors.push_back(std::abs(with_sign.back()));
    }
    std::sort(with_sign.begin(), with_sign.end());
    std::sort(errors.begin(), errors.end());
    return {results::percentile(errors, 0.5), results::percentile(errors, 0.9),
            results::percentile(with_sign, 0.5)};
}

void add_line(Table& table, const std::string& name, const Rows& rows)
{
    const auto errors = errors_of(rows);
    table.row({name, std::to_string(rows.size()), percent(errors.median), percent(errors.ninetieth),
               fmt::format("{:+.1f} %", 100 * errors.median_signed), sweeps_of(rows)});
}

/// The sources' own medians and percentiles, averaged: a large source counts once.
void add_average(Table& table, const std::map<std::string, Rows>& sources)
{
    if (sources.empty()) {
        return;
    }
    Errors sum;
    for (const auto& [name, rows] : sources) {
        const auto errors = errors_of(rows);
        sum.median += errors.median;
        sum.ninetieth += errors.ninetieth;
    }
    const auto count = static_cast<double>(sources.size());
    table.row({"grade A, average of sources", std::to_string(sources.size()),
               percent(sum.median / count), percent(sum.ninetieth / count), "", ""});
}

std::string not_predicted(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::map<std::string, int> reasons;
    for (const auto& row : rows) {
        if (!row.error()) {
            const auto why = row.reason.empty() ? "no measured step time" : row.reason;
            ++reasons[fmt::format("{}: {}", table.at(row.row, "source_id"), why)];
        }
    }
    std::string text = reasons.empty() ? "" : "\nnot compared:\n";
    for (const auto& [reason, count] : reasons) {
        text += fmt::format("  {} {}: {}\n", count, count == 1 ? "row" : "rows", reason);
    }
    return text;
}

}  // namespace

std::string step_table(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::map<std::string, Rows> sources;
    std::map<std::string, Rows> well_known;
    std::set<std::string> seen;
    Rows all;
    for (const auto& row : rows) {
        if (!row.error()) {
            continue;
        }
        sources[row.source].push_back(&row);
        all.push_back(&row);
        if (table.at(row.row, "grade") == "A" && seen.insert(row.source + row.setup).second) {
            well_known[row.source].push_back(&row);
        }
    }
    Table lines;
    lines.column("source", Table::Align::left);
    for (const auto* header :
         {"rows", "median |error|", "90th percentile", "median error", "rank correlation"}) {
        lines.column(header);
    }
    for (const auto& [name, part] : sources) {
        add_line(lines, name, part);
    }
    if (!all.empty()) {
        add_line(lines, "all", all);
    }
    add_average(lines, well_known);
    return lines.text() + not_predicted(table, rows);
}

std::string step_csv(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::string text = "id,source_id,grade,measured_s,predicted_s,error,reason,assumed";
    for (std::size_t entry = 0; entry < replay::kEntries; ++entry) {
        text += fmt::format(",{}_s", replay::name(static_cast<replay::Entry>(entry)));
    }
    text += "\n";
    for (const auto& row : rows) {
        const auto number = [](const std::optional<double>& value) {
            return value ? fmt::format("{}", *value) : std::string{};
        };
        text += fmt::format("{},{},{},{},{},{},{},{}", csv_cell(table.at(row.row, "id")),
                            csv_cell(row.source), table.at(row.row, "grade"), number(row.measured),
                            number(row.predicted), number(row.error()), csv_cell(row.reason),
                            csv_cell(row.assumed));
        for (const auto seconds : row.ledger) {
            text += row.predicted ? fmt::format(",{:.6g}", seconds) : ",";
        }
        text += "\n";
    }
    return text;
}

}  // namespace sim::cli

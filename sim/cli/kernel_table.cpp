#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/kernel_rows.hpp"
#include "cli/table.hpp"
#include "results/summary.hpp"

namespace sim::cli
{

namespace
{

struct Set {
    std::vector<double> errors;
    double sum = 0;
    bool fitted = false;
};

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void add_line(Table& table, const std::string& name, Set set, const char* constants)
{
    std::sort(set.errors.begin(), set.errors.end());
    table.row({name, std::to_string(set.errors.size()),
               percent(results::percentile(set.errors, 0.5)),
               percent(results::percentile(set.errors, 0.9)),
               fmt::format("{:+.1f} %", 100 * set.sum / static_cast<double>(set.errors.size())),
               constants});
}

}  // namespace

std::string kernel_table(const CsvTable& table, const std::vector<KernelRow>& rows)
{
    std::map<std::string, Set> sets;
    std::map<bool, Set> totals;
    std::map<std::string, int> reasons;
    for (const auto& row : rows) {
        if (const auto error = row.error()) {
            for (auto* set : {&sets[row.set], &totals[row.fitted]}) {
                set->errors.push_back(std::abs(*error));
                set->sum += *error;
                set->fitted = row.fitted;
            }
        } else {
            const auto why = row.reason.empty() ? "no measured value" : row.reason;
            ++reasons[fmt::format("{}: {}", table.at(row.row, "kind"), why)];
        }
    }
    Table lines;
    lines.column("kernels", Table::Align::left);
    for (const auto* header : {"rows", "median |error|", "90th percentile", "mean error"}) {
        lines.column(header);
    }
    lines.column("constants", Table::Align::left);
    for (const auto& [name, set] : sets) {
        add_line(lines, name, set, set.fitted ? "fitted to these rows" : "blind");
    }
    for (const auto& [fitted, set] : totals) {
        add_line(lines, fitted ? "all fitted" : "all blind", set, "");
    }
    std::string text = lines.text();
    if (!reasons.empty()) {
        text += "\nnot predicted:\n";
    }
    for (const auto& [reason, count] : reasons) {
        text += fmt::format("  {} {}: {}\n", count, count == 1 ? "row" : "rows", reason);
    }
    return text;
}

std::string kernel_csv(const CsvTable& table, const std::vector<KernelRow>& rows)
{
    constexpr const char* kept[] = {"kind",  "gpu",    "kernel", "dtype",
                                    "shape", "metric", "value",  "unit"};
    std::string text;
    for (const auto* column : kept) {
        text += fmt::format("{},", column);
    }
    text += "predicted,error_pct,reason\n";
    for (const auto& row : rows) {
        for (const auto* column : kept) {
            text += csv_cell(table.at(row.row, column)) + ",";
        }
        text += row.predicted ? fmt::format("{:.6g}", *row.predicted) : "";
        const auto error = row.error();
        text += "," + (error ? fmt::format("{:.2f}", 100 * *error) : "");
        text += "," + csv_cell(row.reason) + "\n";
    }
    return text;
}

}  // namespace sim::cli

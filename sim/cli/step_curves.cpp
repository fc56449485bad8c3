#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/step_rows.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

/// Something a row has that errors may bend with, cut at the edges.
struct Axis {
    const char* name;
    std::vector<double> edges;
    double (*value)(const CsvTable& table, std::size_t row);
};

double number(const CsvTable& table, std::size_t row, const char* column, double otherwise)
{
    return parse_number(table.at(row, column)).value_or(otherwise);
}

const std::vector<Axis>& axes()
{
    static const std::vector<Axis> table{
        {"hidden size",
         {1100, 2100, 3100, 4100, 6200, 8200, 12300},
         [](const CsvTable& rows, std::size_t row) { return number(rows, row, "hidden", 0); }},
        {"(sequence / CP) / hidden",
         {0.2, 0.4, 0.7, 1.1},
         [](const CsvTable& rows, std::size_t row) {
             return number(rows, row, "seq_len", 0) / number(rows, row, "cp", 1) /
                    number(rows, row, "hidden", 1);
         }},
        {"GPUs",
         {8, 64, 256, 1024},
         [](const CsvTable& rows, std::size_t row) { return number(rows, row, "n_gpus", 0); }},
        {"tensor ranks", {1, 2, 4, 8}, [](const CsvTable& rows, std::size_t row) {
             return number(rows, row, "tp", 1);
         }}};
    return table;
}

std::string range(const Axis& axis, std::size_t bin)
{
    if (bin == 0) {
        return fmt::format("up to {:g}", axis.edges[0]);
    }
    const auto from = axis.edges[bin - 1];
    return bin == axis.edges.size() ? fmt::format("above {:g}", from)
                                    : fmt::format("{:g} to {:g}", from, axis.edges[bin]);
}

}  // namespace

std::string step_curves(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::string text =
        "| | | rows | median error | median, 90th percentile of it |\n"
        "|---|---|---:|---:|---:|\n";
    for (const auto& axis : axes()) {
        std::vector<std::vector<double>> bins(axis.edges.size() + 1);
        for (const auto& row : rows) {
            if (const auto error = row.error()) {
                const auto value = axis.value(table, row.row);
                const auto edge = std::lower_bound(axis.edges.begin(), axis.edges.end(), value);
                bins[static_cast<std::size_t>(edge - axis.edges.begin())].push_back(*error);
            }
        }
        for (std::size_t bin = 0; bin < bins.size(); ++bin) {
            auto& errors = bins[bin];
            if (errors.empty()) {
                continue;
            }
            std::sort(errors.begin(), errors.end());
            const auto middle = results::percentile(errors, 0.5);
            for (auto& error : errors) {
                error = std::abs(error);
            }
            std::sort(errors.begin(), errors.end());
            text += fmt::format("| {} | {} | {} | {:+.1f} % | {:.1f}, {:.1f} % |\n", axis.name,
                                range(axis, bin), errors.size(), 100 * middle,
                                100 * results::percentile(errors, 0.5),
                                100 * results::percentile(errors, 0.9));
        }
    }
    return text;
}

}  // namespace sim::cli

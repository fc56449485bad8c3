#include "cli/step_axes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sim::cli
{
namespace
{

struct Cut {
    const char* name;
    std::vector<double> edges;
    double (*value)(const CsvTable& table, std::size_t row);
};

double number(const CsvTable& table, std::size_t row, const char* column, double otherwise)
{
    return parse_number(table.at(row, column)).value_or(otherwise);
}

const std::vector<Cut>& cuts()
{
    static const std::vector<Cut> table{
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

std::string range(const Cut& cut, std::size_t bin)
{
    if (bin == 0) {
        return fmt::format("up to {:g}", cut.edges[0]);
    }
    const auto from = cut.edges[bin - 1];
    return bin == cut.edges.size() ? fmt::format("above {:g}", from)
                                   : fmt::format("{:g} to {:g}", from, cut.edges[bin]);
}

StepAxis axis_of(const Cut& cut, const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::vector<StepBin> bins(cut.edges.size() + 1);
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        bins[bin].range = range(cut, bin);
    }
    for (const auto& row : rows) {
        if (const auto error = row.error()) {
            const auto value = cut.value(table, row.row);
            const auto edge = std::lower_bound(cut.edges.begin(), cut.edges.end(), value);
            bins[static_cast<std::size_t>(edge - cut.edges.begin())].errors.push_back(*error);
        }
    }
    StepAxis axis{cut.name, {}};
    for (auto& bin : bins) {
        if (!bin.errors.empty()) {
            std::sort(bin.errors.begin(), bin.errors.end());
            axis.bins.push_back(std::move(bin));
        }
    }
    return axis;
}

}  // namespace

std::vector<StepAxis> step_axes(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::vector<StepAxis> axes;
    for (const auto& cut : cuts()) {
        axes.push_back(axis_of(cut, table, rows));
    }
    return axes;
}

}  // namespace sim::cli

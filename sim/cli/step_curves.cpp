#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/step_axes.hpp"
#include "cli/step_rows.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

std::string table_row(const std::string& axis, const StepBin& bin)
{
    auto sizes = bin.errors;
    for (auto& error : sizes) {
        error = std::abs(error);
    }
    std::sort(sizes.begin(), sizes.end());
    return fmt::format("| {} | {} | {} | {:+.1f} % | {:.1f}, {:.1f} % |\n", axis, bin.range,
                       sizes.size(), 100 * results::percentile(bin.errors, 0.5),
                       100 * results::percentile(sizes, 0.5),
                       100 * results::percentile(sizes, 0.9));
}

/// A box from the 10th to the 90th percentile of every bin, with a line at the median.
std::string panel(const StepAxis& axis)
{
    std::string script = fmt::format("set title '{}'\nset xtics (", axis.name);
    for (std::size_t bin = 0; bin < axis.bins.size(); ++bin) {
        script += fmt::format("{}\"{}\\n{} rows\" {}", bin == 0 ? "" : ", ", axis.bins[bin].range,
                              axis.bins[bin].errors.size(), bin);
    }
    script += fmt::format(")\nset xrange [-0.6:{}.6]\n", axis.bins.size() - 1);
    script +=
        "plot '-' using 1:2:2:4:4 with candlesticks fill solid 0.35 noborder lc rgb '#4477aa', "
        "'-' using 1:3:3:3:3 with candlesticks lw 2 lc rgb '#222222'\n";
    std::string data;
    for (std::size_t bin = 0; bin < axis.bins.size(); ++bin) {
        const auto& errors = axis.bins[bin].errors;
        data += fmt::format(
            "{} {:.3f} {:.3f} {:.3f}\n", bin, 100 * results::percentile(errors, 0.1),
            100 * results::percentile(errors, 0.5), 100 * results::percentile(errors, 0.9));
    }
    return script + data + "e\n" + data + "e\n";
}

}  // namespace

std::string step_curves(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::string text =
        "| | | rows | median error | median, 90th percentile of it |\n"
        "|---|---|---:|---:|---:|\n";
    for (const auto& axis : step_axes(table, rows)) {
        for (const auto& bin : axis.bins) {
            text += table_row(axis.name, bin);
        }
    }
    return text;
}

std::string step_picture(const CsvTable& table, const std::vector<StepRow>& rows)
{
    std::string script =
        "set terminal svg size 1100,760 font 'sans,11' background '#ffffff'\n"
        "set multiplot layout 2,2\nset key off\nset grid ytics\nset boxwidth 0.6\n"
        "set xtics font ',9'\nset yrange [-40:40]\nset ylabel 'predicted over measured, %'\n"
        "set xzeroaxis lw 1 lc rgb '#222222'\n";
    for (const auto& axis : step_axes(table, rows)) {
        script += axis.bins.empty() ? "" : panel(axis);
    }
    return script + "unset multiplot\n";
}

}  // namespace sim::cli

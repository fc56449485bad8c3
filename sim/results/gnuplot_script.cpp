#include "results/gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/gnuplot_memory.hpp"
#include "results/gnuplot_parts.hpp"

namespace sim::results
{
namespace
{

constexpr std::size_t kMostRows = 60;

/// Rows of bars: values[row * columns + column].
struct Bars {
    std::string title;
    std::string unit;  ///< on the axis
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<double> values;
    bool stacked = true;
};

/// "400G Gen5, even" of every point; one nameless point without axes.
std::vector<std::string> point_names(const Group& group, const std::vector<std::string>& axes)
{
    std::vector<std::string> names{""};
    for (const auto& axis : axes) {
        std::vector<std::string> longer;
        for (const auto& name : names) {
            for (const auto& label : words_of(group.variable(axis))) {
                longer.push_back(name.empty() ? label : name + ", " + label);
            }
        }
        names = std::move(longer);
    }
    return names;
}

Bars of_points(const Document& document, const std::string& group, const std::string& variable,
               const std::string& kind)
{
    const auto& numbers = needed(document, group, variable, kind);
    const auto& at = *document.group(group);
    auto axes = numbers.dimensions;
    Bars bars;
    if (group == "ledger") {
        axes.pop_back();
        bars.columns = words_of(at.variable("entry"));
    } else {
        bars.columns = {gnuplot_text(variable)};
    }
    bars.rows = point_names(at, axes);
    bars.values = numbers_of(numbers);
    return bars;
}

Bars ledger(const Document& document)
{
    Bars bars;
    if (document.group("classes") != nullptr) {
        bars.columns = words_of(needed(document, "classes", "entry", "ledger"));
        bars.values = numbers_of(needed(document, "classes", "time", "ledger"));
        for (const double ranks :
             numbers_of(needed(document, "classes", "multiplicity", "ledger"))) {
            bars.rows.push_back(fmt::format("{} ranks", ranks));
        }
    } else {
        bars = of_points(document, "ledger", "time", "ledger");
    }
    bars.title = "Where the step goes";
    bars.unit = "s";
    return bars;
}

Bars memory(const Document& document)
{
    Bars bars;
    bars.title = "GPU memory";
    bars.unit = "GB";
    bars.columns = words_of(needed(document, "stages", "content", "memory"));
    bars.values = numbers_of(needed(document, "stages", "bytes", "memory"));
    for (auto& value : bars.values) {
        value /= 1e9;
    }
    for (std::size_t stage = 0; stage * bars.columns.size() < bars.values.size(); ++stage) {
        bars.rows.push_back(fmt::format("stage {}", stage));
    }
    return bars;
}

Bars critical_path(const Document& document)
{
    Bars bars;
    bars.title = "Critical path";
    bars.unit = "s";
    bars.rows = words_of(needed(document, "critical_path", "part", "critical path"));
    bars.columns = {"time"};
    bars.values = numbers_of(needed(document, "critical_path", "time", "critical path"));
    return bars;
}

Bars elasticity(const Document& document)
{
    Bars bars;
    bars.title = "Step with more of one resource";
    bars.unit = "s";
    bars.stacked = false;
    bars.rows = words_of(needed(document, "elasticity", "resource", "elasticity"));
    bars.columns = {"as it is", "twice as much", "endlessly much"};
    const auto step = numbers_of(needed(document, "elasticity", "step", "elasticity"));
    const auto twice = numbers_of(needed(document, "elasticity", "step_doubled", "elasticity"));
    const auto endless = numbers_of(needed(document, "elasticity", "step_endless", "elasticity"));
    for (std::size_t row = 0; row < bars.rows.size(); ++row) {
        bars.values.insert(bars.values.end(), {step[0], twice[row], endless[row]});
    }
    return bars;
}

std::string script_of(const Bars& bars, const std::string& format)
{
    std::vector<std::size_t> shown;
    for (std::size_t c = 0; c < bars.columns.size(); ++c) {
        for (std::size_t row = 0; row < bars.rows.size(); ++row) {
            if (bars.values[row * bars.columns.size() + c] > 0) {
                shown.push_back(c);
                break;
            }
        }
    }
    std::string script = gnuplot_terminal(format) + "$bars << END\n";
    for (std::size_t row = 0; row < std::min(bars.rows.size(), kMostRows); ++row) {
        script += fmt::format("\"{}\"", gnuplot_text(bars.rows[row]));
        for (const auto c : shown) {
            script += " " + gnuplot_cell(bars.values[row * bars.columns.size() + c]);
        }
        script += '\n';
    }
    script += fmt::format(
        "END\nset title \"{}\"\nset ylabel \"{}\"\nset yrange [0:*]\nset style data histograms\n"
        "set style histogram {}\nset style fill pattern 1 border -1\nset boxwidth 0.8\n"
        "set xtics rotate by -35 nomirror\nset key outside right\nset grid ytics\nplot ",
        bars.title, bars.unit, bars.stacked ? "rowstacked" : "clustered gap 1");
    for (std::size_t i = 0; i < shown.size(); ++i) {
        script += fmt::format("{}$bars using {}{} title \"{}\"", i == 0 ? "" : ", ", i + 2,
                              i == 0 ? ":xtic(1)" : "", gnuplot_text(bars.columns[shown[i]]));
    }
    return script + "\n";
}

std::string utilisation(const Document& document, const std::string& format)
{
    const auto& names = words_of(needed(document, "utilisation", "resource", "utilisation"));
    const auto time = numbers_of(needed(document, "utilisation", "time", "utilisation"));
    const auto mean = numbers_of(needed(document, "utilisation", "mean", "utilisation"));
    std::string script = gnuplot_terminal(format) + "$lines << END\n";
    for (std::size_t i = 0; i < time.size(); ++i) {
        script += gnuplot_cell(time[i]);
        for (std::size_t r = 0; r < names.size(); ++r) {
            script += " " + gnuplot_cell(100 * mean[r * time.size() + i]);
        }
        script += '\n';
    }
    script +=
        "END\nset title \"Utilisation over the step\"\nset xlabel \"s\"\nset ylabel \"%\"\n"
        "set yrange [0:100]\nset key outside right\nset grid\nplot ";
    for (std::size_t r = 0; r < names.size(); ++r) {
        script += fmt::format("{}$lines using 1:{} with steps lw 2 dt {} title \"{}\"",
                              r == 0 ? "" : ", ", r + 2, r % 5 + 1, gnuplot_text(names[r]));
    }
    return script + "\n";
}

}  // namespace

const std::vector<std::string>& plot_kinds()
{
    static const std::vector<std::string> kinds{"ledger", "step",       "utilisation",
                                                "memory", "elasticity", "critical-path"};
    return kinds;
}

std::string gnuplot_script(const Document& document, const std::string& kind,
                           const std::string& format)
{
    if (kind == "utilisation") {
        return utilisation(document, format);
    }
    if (kind == "memory" && document.group("memory_over_time") != nullptr) {
        return memory_over_time_script(document, format);
    }
    if (kind == "step") {
        auto bars = of_points(document, "summary", "step_time", "step");
        bars.title = "Step time";
        bars.unit = "s";
        return script_of(bars, format);
    }
    return script_of(kind == "memory"       ? memory(document)
                     : kind == "elasticity" ? elasticity(document)
                     : kind == "ledger"     ? ledger(document)
                                            : critical_path(document),
                     format);
}

}  // namespace sim::results

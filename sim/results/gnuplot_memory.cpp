#include "results/gnuplot_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "results/gnuplot_parts.hpp"

namespace sim::results
{
namespace
{

constexpr double kGigabyte = 1e9;

/// The group's rows: each is one content of one tier of one stage.
struct Rows {
    explicit Rows(const Document& document)
        : time{column(document, "time")},
          stage{column(document, "of_stage")},
          capacity{column(document, "capacity")},
          bytes{column(document, "bytes")},
          tier{words_of(needed(document, "memory_over_time", "tier", "memory"))},
          content{words_of(needed(document, "memory_over_time", "content", "memory"))}
    {
    }
    static std::vector<double> column(const Document& document, const std::string& name)
    {
        return numbers_of(needed(document, "memory_over_time", name, "memory"));
    }
    [[nodiscard]] double at(std::size_t row, std::size_t bin) const
    {
        return bytes[row * time.size() + bin];
    }

    std::vector<double> time;
    std::vector<double> stage;
    std::vector<double> capacity;
    std::vector<double> bytes;
    std::vector<std::string> tier;
    std::vector<std::string> content;
};

/// By the fullest bin of the tier that is told first, the GPUs' own memory.
double fullest_stage(const Rows& rows)
{
    std::map<double, double> peaks;
    for (std::size_t bin = 0; bin < rows.time.size(); ++bin) {
        std::map<double, double> levels;
        for (std::size_t row = 0; row < rows.tier.size(); ++row) {
            levels[rows.stage[row]] += rows.tier[row] == rows.tier[0] ? rows.at(row, bin) : 0;
        }
        for (const auto& [stage, level] : levels) {
            peaks[stage] = std::max(peaks[stage], level);
        }
    }
    const auto most =
        std::max_element(peaks.begin(), peaks.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == peaks.end() ? 0 : most->first;
}

/// Rows of each tier of the stage, in the file's order, without those that are nothing.
std::vector<std::vector<std::size_t>> panels(const Rows& rows, double stage)
{
    std::vector<std::vector<std::size_t>> tiers;
    for (std::size_t row = 0; row < rows.tier.size(); ++row) {
        bool holds = false;
        for (std::size_t bin = 0; bin < rows.time.size(); ++bin) {
            holds = holds || rows.at(row, bin) > 0;
        }
        if (rows.stage[row] != stage || !holds) {
            continue;
        }
        const auto same = std::find_if(tiers.begin(), tiers.end(), [&](const auto& tier) {
            return rows.tier[tier.front()] == rows.tier[row];
        });
        if (same == tiers.end()) {
            tiers.push_back({row});
        } else {
            same->push_back(row);
        }
    }
    return tiers;
}

/// Time, then the sums of the first contents, of the first two, ... in GB.
std::string data_of(const Rows& rows, const std::vector<std::size_t>& tier, std::size_t number)
{
    auto script = fmt::format("$tier{} << END\n", number);
    const double width = rows.time.size() > 1 ? rows.time[1] : 1;
    for (std::size_t bin = 0; bin <= rows.time.size(); ++bin) {
        const auto shown = std::min(bin, rows.time.size() - 1);
        script += gnuplot_cell(bin < rows.time.size() ? rows.time[bin] : rows.time[shown] + width);
        double sum = 0;
        for (const auto row : tier) {
            sum += rows.at(row, shown) / kGigabyte;
            script += " " + gnuplot_cell(sum);
        }
        script += '\n';
    }
    return script + "END\n";
}

/// The highest sum first: what is drawn later covers its lower part.
std::string panel(const Rows& rows, const std::vector<std::size_t>& tier, std::size_t number)
{
    const auto first = tier.front();
    auto script = fmt::format("set title \"{} of stage {}, {:.0f} GB in all\"\nplot ",
                              gnuplot_text(rows.tier[first]), rows.stage[first],
                              rows.capacity[first] / kGigabyte);
    for (std::size_t i = tier.size(); i-- > 0;) {
        script += fmt::format(
            "$tier{} using 1:{} with fillsteps fill pattern {} lt {} title \"{}\"{}", number, i + 2,
            i + 1, i + 1, gnuplot_text(rows.content[tier[i]]), i == 0 ? "\n" : ", ");
    }
    return script;
}

}  // namespace

std::string memory_over_time_script(const Document& document, const std::string& format)
{
    const Rows rows{document};
    const auto tiers = panels(rows, fullest_stage(rows));
    auto script = gnuplot_terminal(format);
    for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
        script += data_of(rows, tiers[tier], tier);
    }
    script += fmt::format(
        "set multiplot layout {},1\nset xlabel \"s\"\nset ylabel \"GB\"\nset yrange [0:*]\n"
        "set key outside right\nset grid ytics\n",
        std::max<std::size_t>(1, tiers.size()));
    for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
        script += panel(rows, tiers[tier], tier);
    }
    return script + "unset multiplot\n";
}

}  // namespace sim::results

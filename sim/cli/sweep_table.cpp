#include <fmt/format.h>

#include <optional>
#include <set>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "results/summary.hpp"
#include "results/verdict.hpp"

namespace sim::cli
{
namespace
{

using results::Summary;

/// A row's cells for each of some columns.
struct Block {
    std::vector<std::string> headers;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> left_out{};  ///< rows nobody asked for
};

struct Points {
    const results::ResultSet& set;
    std::vector<std::optional<Summary>> summaries;
    std::vector<std::string> purposes;
    bool several_seeds = false;
};

Points summarised(const results::ResultSet& set)
{
    Points points{set, {}, {}, false};
    std::set<std::string> seen;
    for (const auto& point : set.points) {
        const bool done = point.status == results::Status::done;
        points.summaries.push_back(done ? std::optional{results::summarise(point)} : std::nullopt);
        if (!done) {
            continue;
        }
        points.several_seeds |= points.summaries.back()->seeds > 1;
        for (const auto& purpose : points.summaries.back()->communication) {
            if (seen.insert(purpose.purpose).second) {
                points.purposes.push_back(purpose.purpose);
            }
        }
    }
    return points;
}

Block axes(const results::ResultSet& set)
{
    Block block;
    for (const auto& axis : set.axes) {
        block.headers.push_back(spec::last_part(axis.name));
    }
    for (std::size_t p = 0; p < set.points.size(); ++p) {
        std::vector<std::string> labels(set.axes.size());
        std::size_t rest = p;
        for (std::size_t a = set.axes.size(); a-- > 0;) {
            const auto& values = set.axes[a].values;
            labels[a] = values[rest % values.size()].label;
            rest /= values.size();
        }
        block.rows.push_back(std::move(labels));
        block.left_out.push_back(set.points[p].status == results::Status::left_out);
    }
    return block;
}

Block headline(const Points& points)
{
    Block block{{"step", "tokens/s/GPU", "MFU", "bound by"}, {}};
    if (points.several_seeds) {
        block.headers.insert(block.headers.begin() + 1, "p5 to p95");
    }
    for (std::size_t p = 0; p < points.summaries.size(); ++p) {
        auto& row = block.rows.emplace_back();
        if (!points.summaries[p]) {
            row.assign(block.headers.size(), "-");
            row.front() = results::name(points.set.points[p].status);
            continue;
        }
        const auto& s = *points.summaries[p];
        row = {seconds(s.step.mean), fmt::format("{:.0f}", s.tokens_per_second_per_gpu.mean),
               percent(s.mfu.mean), s.binding};
        if (points.several_seeds) {
            row.insert(row.begin() + 1,
                       s.seeds > 1 ? seconds(s.step.p5) + " to " + seconds(s.step.p95) : "-");
        }
    }
    return block;
}

Block communication(const Points& points)
{
    Block block;
    for (const auto& purpose : points.purposes) {
        block.headers.push_back(purpose + " exposed");
        block.headers.emplace_back("hidden");
        block.headers.emplace_back("pace by");
    }
    for (const auto& summary : points.summaries) {
        auto& row = block.rows.emplace_back();
        for (const auto& wanted : points.purposes) {
            std::vector<std::string> cells{"-", "-", "-"};
            for (const auto& purpose :
                 summary ? summary->communication : std::vector<results::PurposeSummary>{}) {
                if (purpose.purpose == wanted) {
                    cells = {seconds(purpose.exposed), seconds(purpose.hidden), purpose.binding};
                }
            }
            row.insert(row.end(), cells.begin(), cells.end());
        }
    }
    return block;
}

/// The axes, then columns [first, last) of the block.
Table beside(const Block& axes, const Block& block, std::size_t first, std::size_t last)
{
    Table table;
    for (const auto& header : axes.headers) {
        table.column(header, Table::Align::left);
    }
    for (auto c = first; c < last; ++c) {
        table.column(block.headers[c]);
    }
    for (std::size_t p = 0; p < axes.rows.size(); ++p) {
        if (axes.left_out[p]) {
            continue;
        }
        auto cells = axes.rows[p];
        const auto& row = block.rows[p];
        cells.insert(cells.end(), row.begin() + static_cast<long>(first),
                     row.begin() + static_cast<long>(last));
        table.row(std::move(cells));
    }
    return table;
}

/// Tables with as many whole groups of columns as fit the page, one group at least.
std::string paged(const Block& axes, const Block& block, std::size_t group)
{
    std::string text;
    for (std::size_t first = 0; first < block.headers.size();) {
        auto last = first + group;
        while (last + group <= block.headers.size() &&
               beside(axes, block, first, last + group).width() <= kPageWidth) {
            last += group;
        }
        text +=
            fmt::format("{}{}", text.empty() ? "" : "\n", beside(axes, block, first, last).text());
        first = last;
    }
    return text;
}

bool has_failed(const results::Point& point)
{
    return point.status == results::Status::failed || point.status == results::Status::does_not_fit;
}

/// "400 Gbps, 4 (failed): why".
std::string reason(const results::ResultSet& set, const Block& axes, std::size_t p)
{
    const auto& point = set.points[p];
    return wrapped(fmt::format("{} ({}): {}", fmt::join(axes.rows[p], ", "),
                               results::name(point.status), point.message));
}

std::string failures(const results::ResultSet& set, const Block& axes)
{
    std::string text;
    for (std::size_t p = 0; p < set.points.size(); ++p) {
        if (has_failed(set.points[p])) {
            text += reason(set, axes, p);
        }
    }
    return text;
}

/// Why points that did not fail are not among the best; the first few, as a search drops many.
std::string passed_over(const results::ResultSet& set, const Block& axes)
{
    constexpr std::size_t kMostShown = 5;
    std::string text;
    std::size_t count = 0;
    for (std::size_t p = 0; p < set.points.size(); ++p) {
        if (has_failed(set.points[p]) || set.points[p].message.empty()) {
            continue;
        }
        if (++count <= kMostShown) {
            text += reason(set, axes, p);
        }
    }
    if (count > kMostShown) {
        text += fmt::format("... and {} more that are out; the file's `message` says why\n",
                            count - kMostShown);
    }
    return text;
}

}  // namespace

std::string sweep_table(const results::ResultSet& set)
{
    const auto points = summarised(set);
    const auto labels = axes(set);
    const auto head = headline(points);
    auto text = paged(labels, head, 1);
    if (!points.purposes.empty()) {
        text += fmt::format("\n{}", paged(labels, communication(points), 3));
    }
    std::string sentences;
    for (const auto& comparison : results::comparisons(set)) {
        sentences += wrapped(results::sentence(comparison));
    }
    const auto failed = failures(set, labels);
    const auto out = passed_over(set, labels);
    if (set.ranking) {
        text += "\n" + ranking_table(set);
    }
    return text + (sentences.empty() ? "" : "\n" + sentences) + (out.empty() ? "" : "\n" + out) +
           (failed.empty() ? "" : "\n" + failed);
}

}  // namespace sim::cli

#include "cli/comm_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/table.hpp"
#include "collective/words.hpp"
#include "core/quantity_text.hpp"

namespace sim::cli
{
namespace
{

using collective::Kind;

constexpr std::int64_t kFloat = 4;
constexpr double kGiga = 1e9;

bool shares_buffer(Kind kind)
{
    return kind == Kind::all_gather || kind == Kind::reduce_scatter || kind == Kind::all_to_all;
}

std::string microseconds(Time time) { return fmt::format("{:.2f}", time.base() * 1e6); }

std::string giga(double rate) { return fmt::format("{:.2f}", rate / kGiga); }

std::string bytes_text(double bytes)
{
    return to_text(Bytes::of(static_cast<std::int64_t>(bytes)));
}

/// Why bus bandwidth may be more than what a link carries.
std::string why_above_a_link(const CommResult& row)
{
    const double n = static_cast<double>(row.ranks);
    const auto* over = "A ring would send";
    if (row.algorithm == "tree") {
        return fmt::format(
            "{} {:.4g} S over a node's NICs; a tree of two nodes sends S, of more "
            "nodes 2 S.",
            over, 2 * (n - 1) / n);
    }
    if (row.algorithm == "sharp") {
        return fmt::format(
            "{} {:.4g} S over a node's NICs; switches that reduce take S and give "
            "S back.",
            over, 2 * (n - 1) / n);
    }
    return fmt::format(
        "{} {:.4g} S over a GPU's links; a switch that reduces takes all of S and "
        "a g-th of the result.",
        over, 2 * (n - 1) / n);
}

std::string explain(const CommResult& row)
{
    auto text = fmt::format(
        "{} {} B: bound by {}; no faster than {} us with these links and protocol\n",
        collective::name(row.kind), row.size.base(), row.binding, microseconds(row.lower_bound));
    for (const auto& link : row.tiers) {
        text +=
            fmt::format("  {}: {} carried {} at {} GB/s, busy {:.1f} % of the time\n", link.kind,
                        link.name, bytes_text(link.bytes), giga(link.line), 100 * link.share);
    }
    return text;
}

std::vector<std::string> cells(const CommTable& table, std::size_t index)
{
    const auto& row = table.rows[index];
    std::vector<std::string> cells;
    if (table.concurrent) {
        cells.emplace_back(collective::name(row.kind));
    }
    const auto add = [&](const std::vector<std::string>& more) {
        cells.insert(cells.end(), more.begin(), more.end());
    };
    add({std::to_string(row.size.base()), std::to_string(element_count(row)), "float",
         reduction(row.kind), microseconds(row.time), giga(row.algbw), giga(row.busbw)});
    if (table.seeds() > 1) {
        const auto& spread = table.spreads[index];
        add({microseconds(Time::of(spread.time.p5)), microseconds(Time::of(spread.time.p95)),
             giga(spread.busbw.p5), giga(spread.busbw.p95)});
    }
    add({row.algorithm, row.protocol, std::to_string(row.channels), row.binding});
    if (table.concurrent) {
        add({microseconds(row.alone)});
    }
    return cells;
}

std::string heading(const CommTable& table)
{
    const auto& first = table.rows.front();
    auto text =
        fmt::format("# {}, {} ranks, out of place", collective::name(first.kind), first.ranks);
    if (table.concurrent) {
        text += "; rows of one size run together";
    }
    if (table.seeds() > 1) {
        text += fmt::format("; mean, 5th and 95th percentile of {} seeds", table.seeds());
    }
    if (table.one_draw) {
        text += "; one draw of paths or places: --seeds 20 tells the spread";
    }
    return text + "\n";
}

}  // namespace

std::int64_t element_count(const CommResult& row)
{
    const auto parts = shares_buffer(row.kind) ? static_cast<std::int64_t>(row.ranks) : 1;
    return row.size.base() / kFloat / std::max<std::int64_t>(parts, 1);
}

const char* reduction(Kind kind)
{
    const bool reduces = kind == Kind::all_reduce || kind == Kind::reduce_scatter ||
                         kind == Kind::reduce || kind == Kind::barrier;
    return reduces ? "sum" : "none";
}

std::string comm_table(const CommTable& table)
{
    Table text;
    if (table.concurrent) {
        text.column("collective", Table::Align::left);
    }
    const bool spread = table.seeds() > 1;
    for (const auto* header :
         {"size (B)", "count", "type", "redop", "time (us)", "algbw (GB/s)", "busbw (GB/s)"}) {
        text.column(header);
    }
    if (spread) {
        for (const auto* header : {"time p5", "time p95", "busbw p5", "busbw p95"}) {
            text.column(header);
        }
    }
    text.column("algorithm", Table::Align::left);
    text.column("protocol", Table::Align::left);
    text.column("channels");
    text.column("bound by", Table::Align::left);
    if (table.concurrent) {
        text.column("alone (us)");
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        text.row(cells(table, i));
    }
    return heading(table) + text.text();
}

std::string comm_explanation(const CommTable& table)
{
    std::string text;
    std::set<std::string> reasons;
    for (const auto& row : table.rows) {
        text += explain(row);
        const bool reduced = row.algorithm == "tree" || row.algorithm == "sharp" ||
                             row.algorithm == "multimem" || row.algorithm.rfind("nvls", 0) == 0;
        if (reduced) {
            reasons.insert(why_above_a_link(row));
        }
    }
    if (table.seeds() > 1) {
        text += "of the seed whose time is the median, for each size\n";
    }
    if (!reasons.empty()) {
        text += "busbw may exceed a link's rate:\n";
    }
    for (const auto& reason : reasons) {
        text += "  " + reason + "\n";
    }
    return text;
}

}  // namespace sim::cli

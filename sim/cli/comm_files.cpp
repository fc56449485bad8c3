#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/comm_table.hpp"
#include "collective/words.hpp"
#include "results/version.hpp"

namespace sim::cli
{
namespace
{

nlohmann::ordered_json json_row(const CommResult& row, const CommSpread& spread)
{
    auto tiers = nlohmann::ordered_json::array();
    for (const auto& link : row.tiers) {
        tiers.push_back({{"kind", link.kind},
                         {"link", link.name},
                         {"bytes_B", link.bytes},
                         {"busy_share", link.share}});
    }
    return {{"collective", collective::name(row.kind)},
            {"ranks", row.ranks},
            {"size_B", row.size.base()},
            {"count", element_count(row)},
            {"type", "float"},
            {"redop", reduction(row.kind)},
            {"time_s", row.time.base()},
            {"algbw_Bps", row.algbw},
            {"busbw_Bps", row.busbw},
            {"algorithm", row.algorithm},
            {"protocol", row.protocol},
            {"channels", row.channels},
            {"bound_by", row.binding},
            {"link", row.link},
            {"link_B", row.link_bytes},
            {"alone_s", row.alone.base()},
            {"seeds", spread.times.size()},
            {"time_p5_s", spread.time.p5},
            {"time_p95_s", spread.time.p95},
            {"busbw_p5_Bps", spread.busbw.p5},
            {"busbw_p95_Bps", spread.busbw.p95},
            {"busiest", tiers}};
}

constexpr const char* kRow = "row";

/// A column of the rows; `of` gives one row's value.
template <class T, class Of>
results::Variable column(const CommTable& table, const char* name, const char* units, Of of)
{
    std::vector<T> values;
    for (const auto& row : table.rows) {
        values.push_back(of(row));
    }
    return {name, {kRow}, std::move(values), units, ""};
}

results::Variable words(const CommTable& table, const char* name, const char* meaning,
                        std::string CommResult::*field)
{
    auto variable =
        column<std::string>(table, name, "", [&](const CommResult& row) { return row.*field; });
    variable.long_name = meaning;
    return variable;
}

results::Variable numbers(const CommTable& table, const char* name, const char* units,
                          const char* meaning, double (*of)(const CommResult&))
{
    auto variable = column<double>(table, name, units, of);
    variable.long_name = meaning;
    return variable;
}

results::Variable counts(const CommTable& table, const char* name, const char* units,
                         const char* meaning, std::int64_t (*of)(const CommResult&))
{
    auto variable = column<std::int64_t>(table, name, units, of);
    variable.long_name = meaning;
    return variable;
}

results::Variable numbered(const char* name, std::size_t count, const char* meaning)
{
    std::vector<std::int64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return {name, {name}, std::move(numbers), "1", meaning};
}

results::Variable rows_of(const CommTable& table)
{
    return numbered(kRow, table.rows.size(), "a collective of one size in one group");
}

results::Group spread_group(const CommTable& table)
{
    using results::Statistics;
    constexpr double Statistics::*kColumns[] = {
        &Statistics::mean, &Statistics::p5, &Statistics::p95, &Statistics::min, &Statistics::max};
    results::Group group{"spread", {rows_of(table)}};
    group.variables.push_back({"statistic",
                               {"statistic"},
                               std::vector<std::string>{"mean", "p5", "p95", "min", "max"},
                               "",
                               "over the seeds"});
    const auto add = [&](const char* name, const char* units, const char* meaning,
                         Statistics CommSpread::*number) {
        std::vector<double> values;
        for (const auto& spread : table.spreads) {
            for (const auto column : kColumns) {
                values.push_back(spread.*number.*column);
            }
        }
        group.variables.push_back({name, {kRow, "statistic"}, std::move(values), units, meaning});
    };
    add("time", "s", "out of place", &CommSpread::time);
    add("alone", "s", "the same with nothing beside it", &CommSpread::alone);
    add("algbw", "B/s", "size over time", &CommSpread::algbw);
    add("busbw", "B/s", "algbw by nccl-tests' factor", &CommSpread::busbw);
    return group;
}

results::Group replicates_group(const CommTable& table)
{
    std::vector<double> times;
    for (const auto& spread : table.spreads) {
        times.insert(times.end(), spread.times.begin(), spread.times.end());
    }
    return {"replicates",
            {rows_of(table),
             numbered("replicate", table.seeds(), "added to the seed"),
             {"time", {kRow, "replicate"}, std::move(times), "s", "of one seed"}}};
}

}  // namespace

std::string comm_csv(const CommTable& table)
{
    std::string text =
        "collective,ranks,size_B,count,type,redop,time_s,algbw_Bps,busbw_Bps,algorithm,protocol,"
        "channels,bound_by,link,link_B,alone_s,seeds,time_p5_s,time_p95_s,busbw_p5_Bps,"
        "busbw_p95_Bps\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        const auto& spread = table.spreads[i];
        text += fmt::format("{},{},{},{},float,{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                            collective::name(row.kind), row.ranks, row.size.base(),
                            element_count(row), reduction(row.kind), row.time.base(), row.algbw,
                            row.busbw, row.algorithm, row.protocol, row.channels, row.binding,
                            row.link, row.link_bytes, row.alone.base(), spread.times.size(),
                            spread.time.p5, spread.time.p95, spread.busbw.p5, spread.busbw.p95);
    }
    return text;
}

std::string comm_json(const CommTable& table)
{
    nlohmann::ordered_json document;
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        rows.push_back(json_row(table.rows[i], table.spreads[i]));
    }
    document["rows"] = rows;
    return document.dump(2) + "\n";
}

results::Document comm_document(const CommTable& table, const CommOrigin& origin)
{
    results::Group group{"comm", {}};
    auto& all = group.variables;
    all.push_back(rows_of(table));
    all.push_back(column<std::string>(table, "collective", "", [](const CommResult& row) {
        return std::string{collective::name(row.kind)};
    }));
    all.back().long_name = "what was timed";
    all.push_back(counts(table, "ranks", "1", "GPUs in the group", [](const CommResult& row) {
        return static_cast<std::int64_t>(row.ranks);
    }));
    all.push_back(counts(table, "size", "B", "the larger buffer of a rank, as nccl-tests counts",
                         [](const CommResult& row) { return row.size.base(); }));
    all.push_back(numbers(table, "time", "s", "out of place",
                          [](const CommResult& row) { return row.time.base(); }));
    all.push_back(numbers(table, "alone", "s", "the same with nothing beside it",
                          [](const CommResult& row) { return row.alone.base(); }));
    all.push_back(numbers(table, "algbw", "B/s", "size over time",
                          [](const CommResult& row) { return row.algbw; }));
    all.push_back(numbers(table, "busbw", "B/s", "algbw by nccl-tests' factor",
                          [](const CommResult& row) { return row.busbw; }));
    all.push_back(words(table, "algorithm", "chosen or forced", &CommResult::algorithm));
    all.push_back(words(table, "protocol", "of the library", &CommResult::protocol));
    all.push_back(counts(table, "channels", "1", "flows side by side", [](const CommResult& row) {
        return static_cast<std::int64_t>(row.channels);
    }));
    all.push_back(words(table, "binding",
                        "what sets the time: latency, ceiling, host or a class of links",
                        &CommResult::binding));
    all.push_back(words(table, "link", "the link that sets the lower bound", &CommResult::link));
    all.push_back(numbers(table, "link_bytes", "B", "what crossed it",
                          [](const CommResult& row) { return row.link_bytes; }));
    std::vector<results::Group> groups{std::move(group)};
    if (table.seeds() > 1) {
        groups.push_back(spread_group(table));
        groups.push_back(replicates_group(table));
    }
    return {{{"kind", std::string{"comm"}},
             {"format", std::vector<std::int64_t>{1, 1}},
             {"weftsim_version", results::version()},
             {"git_sha", results::git_sha()},
             {"engine", origin.engine},
             {"seed", origin.seed}},
            std::move(groups)};
}

}  // namespace sim::cli

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/comm_table.hpp"
#include "collective/words.hpp"
#include "results/version.hpp"

namespace sim::cli
{
namespace
{

nlohmann::ordered_json json_row(const CommResult& row)
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

std::vector<std::int64_t> positions(const CommTable& table)
{
    std::vector<std::int64_t> rows(table.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] = static_cast<std::int64_t>(i);
    }
    return rows;
}

}  // namespace

std::string comm_csv(const CommTable& table)
{
    std::string text =
        "collective,ranks,size_B,count,type,redop,time_s,algbw_Bps,busbw_Bps,algorithm,protocol,"
        "channels,bound_by,link,link_B,alone_s\n";
    for (const auto& row : table.rows) {
        text += fmt::format("{},{},{},{},float,{},{},{},{},{},{},{},{},{},{},{}\n",
                            collective::name(row.kind), row.ranks, row.size.base(),
                            element_count(row), reduction(row.kind), row.time.base(), row.algbw,
                            row.busbw, row.algorithm, row.protocol, row.channels, row.binding,
                            row.link, row.link_bytes, row.alone.base());
    }
    return text;
}

std::string comm_json(const CommTable& table)
{
    nlohmann::ordered_json document;
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
        rows.push_back(json_row(row));
    }
    document["rows"] = rows;
    return document.dump(2) + "\n";
}

results::Document comm_document(const CommTable& table, const std::string& engine)
{
    results::Group group{"comm", {}};
    auto& all = group.variables;
    all.push_back({kRow, {kRow}, positions(table), "1", "a collective of one size in one group"});
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
    all.push_back(words(table, "binding", "what sets the time", &CommResult::binding));
    all.push_back(words(table, "link", "the link that sets the lower bound", &CommResult::link));
    all.push_back(numbers(table, "link_bytes", "B", "what crossed it",
                          [](const CommResult& row) { return row.link_bytes; }));
    return {{{"kind", std::string{"comm"}},
             {"format", std::vector<std::int64_t>{1, 0}},
             {"weftsim_version", results::version()},
             {"git_sha", results::git_sha()},
             {"engine", engine}},
            {group}};
}

}  // namespace sim::cli

#include "cli/copy_document.hpp"

#include <fmt/format.h>

#include "results/version.hpp"

namespace sim::cli
{

std::string way_of(const CopyRow& row)
{
    return fmt::format("{}:{}", spec::tier_name(row.copy.from), spec::tier_name(row.copy.to));
}

namespace
{

template <class Of>
void add(results::Group& group, const std::vector<CopyRow>& rows, const char* name,
         const std::pair<const char*, const char*>& units_and_words, Of of)
{
    std::vector<decltype(of(rows.front()))> values;
    for (const auto& row : rows) {
        values.push_back(of(row));
    }
    group.variables.push_back(
        {name, {"copy"}, std::move(values), units_and_words.first, units_and_words.second});
}

}  // namespace

results::Document copy_document(const std::vector<CopyRow>& rows, const std::string& cluster)
{
    using Row = CopyRow;
    results::Group group{"copies", {}};
    add(group, rows, "copy", {"", "from which tier to which"}, way_of);
    add(group, rows, "gpus", {"1", "GPUs that do the same"},
        [](const Row& row) { return static_cast<std::int64_t>(row.ranks.size()); });
    add(group, rows, "bytes", {"B", "of each"},
        [](const Row& row) { return row.copy.size.base(); });
    add(group, rows, "time", {"s", "until the last byte"},
        [](const Row& row) { return row.time.base(); });
    add(group, rows, "each", {"B/s", "of one GPU"}, [](const Row& row) { return row.each.base(); });
    add(group, rows, "all", {"B/s", "of them together"},
        [](const Row& row) { return row.all.base(); });
    add(group, rows, "binding", {"", "class of the busiest resource on the way"},
        [](const Row& row) { return row.bound; });
    add(group, rows, "busiest", {"", "that resource"}, [](const Row& row) { return row.busiest; });
    add(group, rows, "busy", {"1", "its share of the time"},
        [](const Row& row) { return row.busy; });
    return {{{"kind", std::string{"copy"}},
             {"format", std::vector<std::int64_t>{1, 0}},
             {"weftsim_version", results::version()},
             {"git_sha", results::git_sha()},
             {"cluster", cluster},
             {"conventions", std::string{"netCDF-4 dimension scales; units and long_name on "
                                         "numbers"}}},
            {group}};
}

}  // namespace sim::cli

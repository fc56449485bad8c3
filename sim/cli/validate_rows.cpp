#include "cli/validate_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collective/tuning.hpp"
#include "collective/words.hpp"
#include "config/load.hpp"
#include "core/diagnostics.hpp"

namespace sim::cli
{
namespace
{

std::optional<collective::Kind> kind_of(const std::string& word)
{
    for (const auto& [known, kind] : collective::kind_words()) {
        if (known == word) {
            return kind;
        }
    }
    return std::nullopt;
}

/// "Ring (forced)" forces a ring; "auto" and everything else leave the choice, and so do all but
/// all-reduces: they have one way.
collective::Algorithm algorithm_of(const std::string& words, collective::Kind kind)
{
    const auto begins = [&](const char* word) { return words.rfind(word, 0) == 0; };
    return kind != collective::Kind::all_reduce ? collective::Algorithm::automatic
           : begins("Ring")                     ? collective::Algorithm::ring
           : begins("Tree")                     ? collective::Algorithm::tree
           : begins("NVLS")                     ? collective::Algorithm::nvls
                                                : collective::Algorithm::automatic;
}

/// A row with a bandwidth but no time has its time from the definition of busbw.
std::optional<double> measured_seconds(const CsvTable& table, std::size_t row,
                                       collective::Kind kind, std::size_t ranks, double size)
{
    if (const auto time = parse_number(table.at(row, "time_us"))) {
        return *time * 1e-6;
    }
    for (const auto* column : {"busbw_GBps", "busbw_inplace"}) {
        const auto busbw = parse_number(table.at(row, column));
        if (busbw && *busbw > 0) {
            return size * collective::bus_factor(kind, ranks) / (*busbw * 1e9);
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<double> ValidatedRow::error() const
{
    if (!measured || !simulated || !(*measured > 0)) {
        return std::nullopt;
    }
    return simulated->time.base() / *measured - 1;
}

CommBench& CollectiveValidation::bench(const config::MeasuredSystem& system,
                                       const std::string& nodes)
{
    auto settings = system.settings;
    settings.push_back({"nodes", nodes});
    auto name = system.cluster;
    for (const auto& setting : settings) {
        name += "\n" + setting.key + "=" + setting.text;
    }
    auto& bench = benches_[name];
    if (!bench) {
        bench = std::make_unique<CommBench>(config::load_cluster(system.cluster, settings));
    }
    return *bench;
}

std::string CollectiveValidation::simulate(const CsvTable& table, std::size_t index,
                                           ValidatedRow& row)
{
    const auto& word = table.at(index, "collective");
    const auto kind = kind_of(word);
    if (!kind) {
        return fmt::format("{} is no collective of ours", word);
    }
    const auto ranks = parse_number(table.at(index, "n_gpus"));
    const auto nodes = parse_number(table.at(index, "n_nodes"));
    const auto size = parse_number(table.at(index, "size_bytes"));
    if (!ranks || !nodes || !size || *ranks < 2 || *nodes < 1 || *size <= 0) {
        return "n_gpus, n_nodes or size_bytes is missing";
    }
    row.size = *size;
    row.measured = measured_seconds(table, index, *kind, static_cast<std::size_t>(*ranks), *size);
    const auto system = machine_of(known_, table, index);
    if (!system) {
        return fmt::format("no machine is known for \"{}\" with GPU \"{}\"; add one with --map",
                           table.at(index, "system"), table.at(index, "gpu"));
    }
    if (system->cluster.empty()) {
        return system->reason;
    }
    row.by_columns = system->by_columns;
    row.blind = system->blind || system->by_columns;
    const double spread_over = system->domain > 0 ? std::ceil(*ranks / system->domain) : *nodes;
    auto& machine = bench(*system, fmt::format("{:.0f}", spread_over));
    auto members =
        machine.spread(static_cast<std::size_t>(*ranks), static_cast<std::size_t>(spread_over));
    if (members.empty()) {
        return fmt::format("{:.0f} GPUs do not fit evenly on {:.0f} nodes of the machine", *ranks,
                           spread_over);
    }
    if (*kind == collective::Kind::send_recv) {
        // Everyone sends to the next; the first and the last are as far apart as any.
        members = {members.front(), members.back()};
    }
    row.simulated =
        machine.measure({.kind = *kind,
                         .size = Bytes::of(static_cast<std::int64_t>(*size)),
                         .members = members,
                         .algorithm = algorithm_of(table.at(index, "algo_proto"), *kind)});
    return {};
}

ValidatedRow CollectiveValidation::row(const CsvTable& table, std::size_t index)
{
    ValidatedRow row;
    row.row = index;
    row.set = table.has("set_id") ? table.at(index, "set_id") : table.at(index, "system");
    row.healthy = !table.has("healthy") || table.at(index, "healthy") == "yes";
    try {
        row.reason = simulate(table, index, row);
    } catch (const InputError& error) {
        const auto& first = error.diagnostics().front();
        row.reason = first.key + ": " + first.message;
    }
    return row;
}

std::vector<ValidatedRow> CollectiveValidation::run(const CsvTable& table)
{
    std::vector<ValidatedRow> rows;
    for (std::size_t index = 0; index < table.size(); ++index) {
        rows.push_back(row(table, index));
    }
    return rows;
}

}  // namespace sim::cli

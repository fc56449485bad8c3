#include "cli/memory_simulators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/csv_reader.hpp"
#include "config/read_memory.hpp"
#include "core/literals.hpp"
#include "memory/closed_form.hpp"
#include "memory/dram_system.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;

constexpr const char* kDramSim3 = "DRAMsim3";

/// "ro" and "mop" are Ramulator's RoBaRaCoCh and MOP4CLXOR; its lowest field is the column.
void set_map(spec::DramSpec& dram, const std::string& map)
{
    if (map == "ro") {
        dram.mapping.order = "row-bank-group-rank-pseudo-column";
    } else if (map == "mop") {
        dram.mapping.order = "row-column-bank-group-rank-pseudo-column:2";
        dram.mapping.permutation = spec::Permutation::column;
    } else if (map == "channel-lowest") {
        dram.mapping.channel_interleave = spec::burst_bytes(dram);
    } else if (map == "bg" && dram.name.starts_with("dramsim3")) {
        dram.mapping.order = "row-rank-bank-column-pseudo-group";
    }
}

spec::DramSpec device(const SimulatorRow& row, int queue, const std::string& folder)
{
    auto dram = config::load_dram(fmt::format("{}/memory/{}.yaml", folder, row.device), {}).spec;
    set_map(dram, row.map);
    dram.controller.refresh = row.refresh == "on"    ? spec::Refresh::all_bank
                              : row.refresh == "off" ? spec::Refresh::none
                                                     : spec::Refresh::per_bank;
    if (queue > 0) {
        dram.controller.read_queue = queue;
        dram.controller.write_queue = queue;
    }
    dram.capacity = dram.capacity * row.channels / dram.channels;
    dram.channels = row.channels;
    return dram;
}

std::uint64_t banks_of(const spec::DramSpec& dram)
{
    return static_cast<std::uint64_t>((dram.independent_ranks ? 1 : dram.ranks) * dram.bank_groups *
                                      dram.banks_per_group * dram.pseudo_channels);
}

memory::PatternSpec strides(const SimulatorRow& row, const spec::DramSpec& dram)
{
    const auto row_bytes = static_cast<std::uint64_t>(dram.row.base());
    const auto channels = static_cast<std::uint64_t>(dram.channels);
    const auto stride = row.pattern == "stride-row" ? row_bytes
                        : row.pattern == "stride-row-channels"
                            ? row_bytes * channels
                            : row_bytes * banks_of(dram) * channels;
    return memory::pattern_by_name(fmt::format("strided-{}", stride));
}

/// The tables do not say where the arrays of a triad lie. On one channel of Ramulator the second
/// is half a rotation of the banks away from the others, elsewhere each has banks of its own: the
/// one choice that all devices agree with (sim/memory/dram.md).
memory::PatternSpec triad(const SimulatorRow& row, const spec::DramSpec& dram)
{
    const bool pages = row.pattern == "triad-4KiB";
    auto found = memory::pattern_by_name("triad");
    const auto rotation = static_cast<std::uint64_t>(dram.row.base()) * banks_of(dram) *
                          static_cast<std::uint64_t>(dram.channels);
    const auto quarter = static_cast<std::uint64_t>(spec::bank_capacity(dram).base()) / 4;
    const bool apart = dram.channels > 1 || row.simulator == kDramSim3;
    const auto step = rotation / (apart ? 4 : 2);
    found.bases = {0, quarter + step, 2 * (quarter + step)};
    found.footprint = Bytes::of(static_cast<std::int64_t>(quarter / 2));
    found.interleave = pages ? 4_KiB : Bytes{};
    return found;
}

memory::PatternSpec pattern(const SimulatorRow& row, const spec::DramSpec& dram)
{
    if (row.pattern.starts_with("stride-row") || row.pattern == "same-bank") {
        return strides(row, dram);
    }
    if (row.pattern.starts_with("random")) {
        auto random = memory::pattern_by_name("random-1");
        random.block = spec::burst_bytes(dram);
        random.reads = row.pattern == "random" ? 1 : 2;
        random.writes = row.pattern == "random" ? 0 : 1;
        return random;
    }
    return row.pattern.starts_with("triad") ? triad(row, dram)
                                            : memory::pattern_by_name(row.pattern);
}

double run(const SimulatorRow& row, const spec::DramSpec& dram)
{
    const memory::DramSystem system{dram, 1};
    const auto accesses = pattern(row, dram);
    const auto bursts =
        static_cast<std::int64_t>(std::clamp(row.measured, 0.02, 1.0) * 10 *
                                  static_cast<double>(system.bursts_per_interval()));
    const memory::RunLength length{bursts / 5, bursts};
    if (row.outstanding == 0) {
        // A list a channel feeds DRAMsim3, so that a full one does not stop the others.
        return row.simulator == kDramSim3 && row.channels > 1
                   ? system.flood(accesses, length).fraction
                   : system.saturate(accesses, length).fraction;
    }
    // DRAMsim3 takes a clock into its queue, one to the command queue and one out of it.
    const auto way = row.simulator == kDramSim3 ? dram.timing.tCK * 3 : Time{};
    return system.loop(accesses, {row.outstanding * row.channels, {}, way}, length).fraction;
}

struct Difference {
    std::vector<std::string> wanted;  ///< device, map, refresh, queue, channels, pattern; *: any
    std::string reason;
};

std::vector<Difference> differences(const std::string& folder)
{
    std::vector<Difference> all;
    const CsvTable table{folder + "/memory_differences.csv"};
    for (const auto& row : table.rows()) {
        all.push_back({{row.text("device"), row.text("map"), row.text("refresh"), row.text("queue"),
                        row.text("channels"), row.text("pattern")},
                       row.text("reason")});
    }
    return all;
}

std::string reason(const std::vector<Difference>& known, const SimulatorRow& row)
{
    const std::vector<std::string> has{row.device,
                                       row.map,
                                       row.refresh,
                                       fmt::format("{}", row.queue),
                                       fmt::format("{}", row.channels),
                                       row.pattern};
    for (const auto& difference : known) {
        const bool all = std::equal(has.begin(), has.end(), difference.wanted.begin(),
                                    [](const std::string& cell, const std::string& wanted) {
                                        return wanted == "*" || wanted == cell;
                                    });
        if (all) {
            return difference.reason;
        }
    }
    return {};
}

}  // namespace

std::vector<SimulatorRow> compare_simulators(const std::string& folder)
{
    const auto known = differences(folder);
    const CsvTable table{folder + "/memory_simulators.csv"};
    std::vector<SimulatorRow> rows;
    for (const auto& cells : table.rows()) {
        SimulatorRow row;
        row.simulator = cells.text("simulator");
        row.device = cells.text("device");
        row.map = cells.text("map");
        row.refresh = cells.text("refresh");
        row.channels = cells.count("channels", 1);
        row.pattern = cells.text("pattern");
        row.outstanding = cells.count("outstanding");
        row.measured = cells.number("fraction");
        const auto dram = device(row, cells.count("queue"), folder);
        row.queue = dram.controller.read_queue;
        row.predicted = run(row, dram);
        row.closed = memory::closed_form(dram, pattern(row, dram)).fraction;
        row.difference = reason(known, row);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace sim::cli

// The bank model and the closed form against two cycle-level simulators, each with that
// simulator's timings, mapping and queues. Prints a table; asserts nothing.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "config/read_memory.hpp"
#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "memory/closed_form.hpp"
#include "memory/dram_system.hpp"

namespace
{

using namespace sim;
using namespace sim::literals;

constexpr const char* kFolder = WEFTSIM_SOURCE_DIR "/tests/validation/";
constexpr double kTolerance = 8;  ///< percent

struct Row {
    std::string simulator;
    std::string device;
    std::string map;
    std::string refresh;
    int queue = 0;  ///< 0: the device's own
    int channels = 1;
    std::string pattern;
    int outstanding = 0;  ///< 0: as many as the queues take
    double fraction = 0;
    double latency_ns = 0;
};

int number_or(const std::string& text, int otherwise)
{
    return text.empty() ? otherwise : std::stoi(text);
}

std::vector<Row> read_rows()
{
    std::ifstream file{std::string{kFolder} + "memory_simulators.csv"};
    std::vector<Row> rows;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line.front() == '#' || line.starts_with("simulator,")) {
            continue;
        }
        std::vector<std::string> cells;
        std::istringstream stream{line + ","};
        for (std::string cell; std::getline(stream, cell, ',');) {
            cells.push_back(cell);
        }
        rows.push_back({cells.at(0), cells.at(1), cells.at(2), cells.at(3),
                        number_or(cells.at(4), 0), number_or(cells.at(5), 1), cells.at(6),
                        number_or(cells.at(7), 0), std::stod(cells.at(8)),
                        cells.at(9).empty() ? 0 : std::stod(cells.at(9))});
    }
    return rows;
}

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

spec::DramSpec device(const Row& row)
{
    auto dram = config::load_dram(fmt::format("{}memory/{}.yaml", kFolder, row.device), {}).spec;
    set_map(dram, row.map);
    dram.controller.refresh = row.refresh == "on"    ? spec::Refresh::all_bank
                              : row.refresh == "off" ? spec::Refresh::none
                                                     : spec::Refresh::per_bank;
    if (row.queue > 0) {
        dram.controller.read_queue = row.queue;
        dram.controller.write_queue = row.queue;
    }
    dram.capacity = dram.capacity * row.channels / dram.channels;
    dram.channels = row.channels;
    return dram;
}

memory::PatternSpec pattern(const Row& row, const spec::DramSpec& dram)
{
    const auto burst = spec::burst_bytes(dram);
    const auto row_bytes = static_cast<std::uint64_t>(dram.row.base());
    const auto banks =
        static_cast<std::uint64_t>((dram.independent_ranks ? 1 : dram.ranks) * dram.bank_groups *
                                   dram.banks_per_group * dram.pseudo_channels);
    if (row.pattern.starts_with("stride-row") || row.pattern == "same-bank") {
        const auto channels = static_cast<std::uint64_t>(dram.channels);
        const auto stride = row.pattern == "stride-row"            ? row_bytes
                            : row.pattern == "stride-row-channels" ? row_bytes * channels
                                                                   : row_bytes * banks * channels;
        return memory::pattern_by_name(fmt::format("strided-{}", stride));
    }
    if (row.pattern.starts_with("random")) {
        auto random = memory::pattern_by_name("random-1");
        random.block = burst;
        random.reads = row.pattern == "random" ? 1 : 2;
        random.writes = row.pattern == "random" ? 0 : 1;
        return random;
    }
    const bool pages = row.pattern == "triad-4KiB";
    auto found = memory::pattern_by_name(pages ? "triad" : row.pattern);
    if (found.reads == 2 && found.order == memory::PatternSpec::Order::streams) {
        // The tables do not say where the arrays lie. On one channel of Ramulator the second is
        // half a rotation of the banks away from the others, elsewhere each has banks of its own:
        // the one choice that all devices agree with (sim/memory/dram.md).
        const auto rotation = row_bytes * banks * static_cast<std::uint64_t>(dram.channels);
        const auto quarter = static_cast<std::uint64_t>(spec::bank_capacity(dram).base()) / 4;
        const bool apart = dram.channels > 1 || row.simulator == "DRAMsim3";
        const auto step = rotation / (apart ? 4 : 2);
        found.bases = {0, quarter + step, 2 * (quarter + step)};
        found.footprint = Bytes::of(static_cast<std::int64_t>(quarter / 2));
        found.interleave = pages ? 4_KiB : Bytes{};
    }
    return found;
}

struct Answer {
    double fraction = 0;
    double latency_ns = 0;
};

Answer run(const Row& row, const spec::DramSpec& dram)
{
    const memory::DramSystem system{dram, 1};
    const auto intervals = system.bursts_per_interval();
    const auto bursts = static_cast<std::int64_t>(std::clamp(row.fraction, 0.02, 1.0) * 10 *
                                                  static_cast<double>(intervals));
    const memory::RunLength length{bursts / 5, bursts};
    if (row.outstanding == 0 && row.simulator == "DRAMsim3" && row.channels > 1) {
        // A list a channel feeds DRAMsim3, so that a full one does not stop the others.
        return {system.flood(pattern(row, dram), length).fraction, 0};
    }
    if (row.outstanding == 0) {
        return {system.saturate(pattern(row, dram), length).fraction, 0};
    }
    // DRAMsim3 takes a clock into its queue, one to the command queue and one out of it.
    const auto way = row.simulator == "DRAMsim3" ? dram.timing.tCK * 3 : Time{};
    const memory::ClosedLoop users{row.outstanding * row.channels, {}, way};
    const auto result = system.loop(pattern(row, dram), users, length);
    return {result.fraction, result.read_latency / 1_ns};
}

double percent_off(double predicted, double measured) { return 100 * (predicted / measured - 1); }

struct Tally {
    int rows = 0;
    int within = 0;
    std::vector<double> errors;
};

void print_tally(const std::string& name, Tally tally)
{
    auto& e = tally.errors;
    std::sort(e.begin(), e.end());
    fmt::print("{:<32} {:>4} rows, {:>4} within {} %, median {:.1f} %, 95th percentile {:.1f} %\n",
               name, tally.rows, tally.within, kTolerance, e[e.size() / 2],
               e[std::min(e.size() - 1, e.size() * 95 / 100)]);
}

}  // namespace

int main()
{
    std::map<std::string, Tally> tallies;
    fmt::print("{:<22} {:<14} {:<8} {:>5} {:>3} {:<12} {:>4} {:>8} {:>9} {:>8} {:>7}\n", "device",
               "map", "refresh", "queue", "ch", "pattern", "out", "measured", "predicted", "closed",
               "error");
    try {
        for (const auto& row : read_rows()) {
            const auto dram = device(row);
            const auto answer = run(row, dram);
            const auto error = percent_off(answer.fraction, row.fraction);
            fmt::print(
                "{:<22} {:<14} {:<8} {:>5} {:>3} {:<12} {:>4} {:>8.3f} {:>9.3f} {:>8.3f} "
                "{:>+6.1f} %{}\n",
                row.device, row.map, row.refresh, dram.controller.read_queue, row.channels,
                row.pattern, row.outstanding, row.fraction, answer.fraction,
                memory::closed_form(dram, pattern(row, dram)).fraction, error,
                std::abs(error) > kTolerance ? " *" : "");
            for (const auto& key : {row.simulator, row.simulator + ", " + row.pattern}) {
                auto& tally = tallies[key];
                ++tally.rows;
                tally.within += std::abs(error) <= kTolerance ? 1 : 0;
                tally.errors.push_back(std::abs(error));
            }
        }
    } catch (const InputError& error) {
        fmt::print(stderr, "{}\n", render(error.diagnostics()));
        return 2;
    }
    for (const auto& [name, tally] : tallies) {
        print_tally(name, tally);
    }
    return 0;
}

#include "cli/validate_memory.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cli/exit_code.hpp"
#include "cli/memory_silicon.hpp"
#include "cli/memory_simulators.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "results/file.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

constexpr double kSimulatorTolerance = 0.08;
constexpr double kSaturatedTolerance = 0.05;
constexpr double kSweepTolerance = 0.1;

struct ValidateMemoryOptions {
    SiliconFiles files{"tests/validation", "configs/hardware/memory"};
    std::string output;
    bool fit = false;
};

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

/// Rows, those within a tolerance, and where the errors lie.
struct Tally {
    std::vector<double> errors;

    void add(double error) { errors.push_back(std::abs(error)); }
    [[nodiscard]] std::size_t within(double tolerance) const
    {
        return static_cast<std::size_t>(std::count_if(
            errors.begin(), errors.end(), [&](double error) { return error <= tolerance; }));
    }
    [[nodiscard]] double quantile(double share) const
    {
        auto sorted = errors;
        std::sort(sorted.begin(), sorted.end());
        return results::percentile(sorted, share);
    }
};

std::string tallies_text(const std::map<std::string, Tally>& tallies, double tolerance)
{
    Table table;
    table.column("", Table::Align::left);
    for (const auto& header : {std::string{"rows"}, fmt::format("within {:.0f} %", 100 * tolerance),
                               std::string{"median"}, std::string{"95 of 100 within"}}) {
        table.column(header);
    }
    for (const auto& [name, tally] : tallies) {
        table.row({name, fmt::format("{}", tally.errors.size()),
                   fmt::format("{}", tally.within(tolerance)), percent(tally.quantile(0.5)),
                   percent(tally.quantile(0.95))});
    }
    return table.text();
}

std::string simulators_text(const std::vector<SimulatorRow>& rows)
{
    std::map<std::string, Tally> tallies;
    Table outside;
    for (const auto* header : {"device", "map", "refresh", "queue", "ch", "pattern"}) {
        outside.column(header, Table::Align::left);
    }
    for (const auto* header : {"simulator", "weftsim", "error"}) {
        outside.column(header);
    }
    outside.column("why", Table::Align::left);
    std::size_t unexplained = 0;
    for (const auto& row : rows) {
        tallies[row.simulator].add(row.error());
        tallies[row.simulator + ", " + row.pattern].add(row.error());
        if (std::abs(row.error()) > kSimulatorTolerance) {
            unexplained += row.difference.empty() ? 1 : 0;
            outside.row({row.device, row.map, row.refresh, fmt::format("{}", row.queue),
                         fmt::format("{}", row.channels), row.pattern,
                         fmt::format("{:.3f}", row.measured), fmt::format("{:.3f}", row.predicted),
                         signed_percent(row.error()),
                         row.difference.empty() ? "unexplained" : row.difference});
        }
    }
    return "Cycle-level simulators, each with its own timings, mapping and queues\n\n" +
           tallies_text(tallies, kSimulatorTolerance) + "\n" + outside.text() +
           fmt::format("\n{} differences without an explanation\n", unexplained);
}

std::string gpus_text(const std::vector<SiliconRow>& rows)
{
    std::map<std::string, Tally> saturated;
    std::map<std::string, Tally> sweep;
    Table points;
    points.column("GPU", Table::Align::left);
    for (const auto* header : {"threads", "kernel", "measured", "predicted", "error"}) {
        points.column(header);
    }
    for (const auto& row : rows) {
        sweep[row.load].add(row.error());
        if (row.saturated) {
            saturated[row.load].add(row.error());
        }
        const bool wide = std::abs(row.error()) > kSweepTolerance;
        if (row.saturated || wide) {
            points.row({row.machine, fmt::format("{}", row.threads), row.load,
                        fmt::format("{:.0f}", row.measured), fmt::format("{:.0f}", row.predicted),
                        row.fitted ? "fitted" : signed_percent(row.error())});
        }
    }
    return "\nGPUs, largest block of threads: STREAM kernels, reads fitted where saturated\n\n" +
           tallies_text(saturated, kSaturatedTolerance) + "\nGPUs, every block of threads\n\n" +
           tallies_text(sweep, kSweepTolerance) +
           "\nLargest blocks, and every point that is further off (GB/s)\n\n" + points.text();
}

std::string machines_text(const std::string& title, const std::vector<SiliconRow>& rows)
{
    Table table;
    for (const auto* header : {"machine", "load"}) {
        table.column(header, Table::Align::left);
    }
    for (const auto* header : {"measured", "predicted", "error"}) {
        table.column(header);
    }
    for (const auto& row : rows) {
        table.row({row.machine, row.load, fmt::format("{:.0f} {}", row.measured, row.unit),
                   fmt::format("{:.0f}", row.predicted),
                   row.fitted ? "fitted" : signed_percent(row.error())});
    }
    return "\n" + title + "\n\n" + table.text();
}

std::string rows_csv(const std::vector<SimulatorRow>& simulators,
                     const std::vector<SiliconRow>& silicon)
{
    std::string csv = "against,device,load,setting,measured,predicted,error\n";
    for (const auto& row : simulators) {
        csv += fmt::format("{},{},{},{} {} {} {} {},{},{},{}\n", row.simulator, row.device,
                           row.pattern, row.map, row.refresh, row.queue, row.channels,
                           row.outstanding, row.measured, row.predicted, row.error());
    }
    for (const auto& row : silicon) {
        csv += fmt::format("silicon,{},{},{},{},{},{}\n", row.machine, row.load, row.threads,
                           row.measured, row.predicted, row.error());
    }
    return csv;
}

int validate_memory(const ValidateMemoryOptions& options)
{
    if (options.fit) {
        for (const auto& fit : fit_reads(options.files)) {
            print(fmt::format("{},{:.3f},{}\n", fit.gpu, fit.factor,
                              fit.saturated ? "saturated" : "not saturated"));
        }
        return kDone;
    }
    const auto simulators = compare_simulators(options.files.measured);
    print(simulators_text(simulators));
    auto silicon = compare_gpus(options.files);
    print(gpus_text(silicon));
    const auto cpus = compare_cpus(options.files);
    const auto streams = compare_streams(options.files);
    print(machines_text("STREAM on GPUs by the class table", streams) +
          machines_text("CPU memories, reads fitted", cpus));
    if (!options.output.empty()) {
        silicon.insert(silicon.end(), streams.begin(), streams.end());
        silicon.insert(silicon.end(), cpus.begin(), cpus.end());
        results::write_atomically(options.output, rows_csv(simulators, silicon));
    }
    return kDone;
}

}  // namespace

Action add_validate_memory(CLI::App& validate)
{
    auto options = std::make_shared<ValidateMemoryOptions>();
    auto* command =
        validate.add_subcommand("memory", "DRAM: cycle-level simulators, measured GPUs and CPUs");
    command
        ->add_option("--data", options->files.measured,
                     "Holds memory_simulators.csv, memory_silicon.csv, memory_cpu.csv")
        ->type_name("FOLDER")
        ->capture_default_str();
    command->add_option("--hardware", options->files.hardware, "The devices")
        ->type_name("FOLDER")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Every row with its prediction")
        ->type_name("FILE.csv");
    command->add_flag("--fit", options->fit, "Print the read factor of every GPU instead");
    command->footer("Example:\n  weftsim validate memory -o results/memory-rows.csv");
    return [options] { return validate_memory(*options); };
}

}  // namespace sim::cli

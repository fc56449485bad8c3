#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "results/file.hpp"
#include "sweep/execute.hpp"

namespace sim::cli
{
namespace
{

/// One line on a terminal, rewritten point by point and gone at the end.
void show_progress(std::size_t done, std::size_t points)
{
    std::fputs(done < points ? fmt::format("\r{} of {} points", done, points).c_str() : "\r\033[K",
               stderr);
    std::fflush(stderr);
}

/// The base may be no experiment without an axis's settings, so a point tells.
std::uint64_t first_seed(const results::ResultSet& set)
{
    for (const auto& point : set.points) {
        if (!point.runs.empty()) {
            return point.runs.front().seed;
        }
    }
    return 0;
}

int do_sweep(const CommonOptions& options)
{
    apply_verbosity(options);
    const auto loaded = config::load_sweep(options.file, overrides(options));
    const auto output = options.output.empty() ? loaded.spec.output : options.output;
    if (!output.empty()) {
        results::check_writable(output);
    }
    auto steps = sweep::real_steps(loaded, simulation_options(options));
    if (!options.quiet && isatty(STDERR_FILENO) != 0) {
        steps.progress = show_progress;
    }
    auto set = sweep::execute(loaded.spec, steps, {.ignore_memory = options.ignore_memory});
    set.provenance = provenance(options, first_seed(set), loaded.input_text);
    answer(set, options, output);
    const bool all = std::all_of(set.points.begin(), set.points.end(), [](const auto& point) {
        return point.status == results::Status::done;
    });
    return all ? kDone : kPointsFailed;
}

}  // namespace

Action add_sweep(CLI::App& program)
{
    auto options = std::make_shared<CommonOptions>();
    auto* command =
        program.add_subcommand("sweep", "Simulate every point of a grid of experiments");
    add_input_options(*command, *options, "The sweep, YAML");
    add_simulation_options(*command, *options);
    command->footer(
        "Example:\n"
        "  weftsim sweep configs/sweeps/llama3-70b-400g-800g.yaml -o results/my.h5\n"
        "Without -o the file goes where the sweep's `output` says. Points that fail are told and\n"
        "recorded, the others go on, and the exit code is 3.");
    return [options] { return do_sweep(*options); };
}

}  // namespace sim::cli

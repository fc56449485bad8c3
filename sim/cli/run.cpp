#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/shortage.hpp"
#include "results/file.hpp"
#include "sweep/execute.hpp"
#include "sweep/fit.hpp"

namespace sim::cli
{
namespace
{

int do_run(const CommonOptions& options)
{
    apply_verbosity(options);
    const auto loaded = config::load_experiment(options.file, overrides(options));
    if (!options.output.empty()) {
        results::check_writable(options.output);
    }
    if (!options.ignore_memory && !sweep::fit(loaded.spec).fits()) {
        complain(explain_shortage(options.file, loaded.spec));
        complain("  = or go on with --ignore-memory");
        return kDoesNotFit;
    }
    constexpr int kOneSeed = 1;
    const auto steps = sweep::real_steps({}, simulation_options(options));
    results::ResultSet set;
    set.points = {sweep::simulate_point(loaded.spec, kOneSeed, steps, {.ignore_memory = true})};
    set.provenance = provenance(options, loaded.spec.seed, loaded.input_text);
    answer(set, options, options.output);
    return kDone;
}

}  // namespace

Action add_run(CLI::App& program)
{
    auto options = std::make_shared<CommonOptions>();
    auto* command = program.add_subcommand("run", "Simulate one experiment");
    add_input_options(*command, *options, "The experiment, YAML");
    add_simulation_options(*command, *options);
    command->footer(
        "Example:\n"
        "  weftsim run configs/llama3-70b-128-h100.yaml --set 'cluster.nic.bandwidth=800 Gbps'\n"
        "A fabric with ecmp routing is simulated with the experiment's seed alone; a sweep tells\n"
        "the spread over seeds.");
    return [options] { return do_run(*options); };
}

}  // namespace sim::cli

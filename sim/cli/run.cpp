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

struct RunOptions : CommonOptions {
    int seeds = 1;
};

int do_run(const RunOptions& options)
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
    const auto steps = sweep::real_steps({}, simulation_options(options));
    results::ResultSet set;
    set.points = {
        sweep::simulate_point(loaded.spec, options.seeds, steps, {.ignore_memory = true})};
    set.provenance = provenance(options, loaded.spec.seed, loaded.input_text);
    answer(set, options, options.output);
    return kDone;
}

}  // namespace

Action add_run(CLI::App& program)
{
    auto options = std::make_shared<RunOptions>();
    auto* command = program.add_subcommand("run", "Simulate one experiment");
    add_input_options(*command, *options, "The experiment, YAML");
    add_simulation_options(*command, *options);
    command
        ->add_option("--seeds", options->seeds,
                     "Simulate with so many seeds from the experiment's on and tell mean, 5th and "
                     "95th percentile; once when nothing depends on the seed")
        ->check(CLI::Range(1, kMostSeeds))
        ->type_name("NUMBER");
    command->footer(
        "Example:\n"
        "  weftsim run configs/llama3-70b-128-h100.yaml --set 'cluster.nic.bandwidth=800 Gbps'\n"
        "Hashed routing and random placement draw by the seed: one seed's answer is an anecdote,\n"
        "--seeds 20 tells how much it means.");
    return [options] { return do_run(*options); };
}

}  // namespace sim::cli

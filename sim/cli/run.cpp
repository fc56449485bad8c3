#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/shortage.hpp"
#include "core/log.hpp"
#include "formats/timeline.hpp"
#include "results/file.hpp"
#include "results/summary.hpp"
#include "sweep/execute.hpp"
#include "sweep/fit.hpp"

namespace sim::cli
{
namespace
{

struct RunOptions : CommonOptions {
    int seeds = 1;
    std::string timeline;
};

/// Drives that do not last as long at this rate as they are meant to.
void warn_of_wear(const RunOptions& options, const spec::ExperimentSpec& experiment,
                  const results::Point& point)
{
    const auto& storage = experiment.cluster.node.host.storage;
    if (point.runs.empty() || !storage) {
        return;
    }
    for (const auto& use : point.runs.front().result.tiers) {
        if (use.years > 0 && use.years < storage->drive.endurance.years) {
            complain(
                fmt::format("{}: warning: {} are worn out after {:.1f} years of such steps, "
                            "rated for {:.0f}\n  = more drives, drives of more writes a day, "
                            "or less in storage",
                            options.file, use.name, use.years, storage->drive.endurance.years));
        }
    }
}

/// Every simulated step saves; in the mean one of so many does.
void say_mean_of_saving(const spec::ExperimentSpec& experiment, const results::Point& point)
{
    const auto& saved = experiment.workload.checkpoint;
    if (!saved || saved->every == 1 || point.runs.empty()) {
        return;
    }
    const auto summary = results::summarise(point);
    const auto stall = summary.ledger[static_cast<std::size_t>(replay::Entry::checkpoint)];
    const auto mean = summary.step.mean - stall * (1 - 1.0 / saved->every);
    print(fmt::format("\nsaved in one of {} steps: a step takes {} in the mean\n", saved->every,
                      seconds(mean)));
}

int do_run(const RunOptions& options)
{
    apply_verbosity(options);
    const auto loaded = config::load_experiment(options.file, overrides(options));
    for (const auto& file : {options.output, options.timeline}) {
        if (!file.empty()) {
            results::check_writable(file);
        }
    }
    if (!options.ignore_memory && !sweep::fit(loaded.spec).fits()) {
        complain(explain_shortage(options.file, loaded.spec));
        complain("  = or go on with --ignore-memory");
        return kDoesNotFit;
    }
    auto with = simulation_options(options);
    with.timeline = !options.timeline.empty();
    with.watch = true;
    const auto steps = sweep::real_steps({}, with);
    results::ResultSet set;
    set.points = {sweep::simulate_point(loaded.spec, steps, {options.seeds, true})};
    set.provenance = provenance(options, loaded.spec.seed, loaded.input_text);
    answer(set, options, options.output);
    if (with.timeline) {
        formats::write_timeline(set.points[0].runs[0].result.timeline, options.timeline);
        Log{"cli"}.info("wrote " + options.timeline);
    }
    if (options.format == "table") {
        say_mean_of_saving(loaded.spec, set.points.front());
    }
    warn_of_wear(options, loaded.spec, set.points.front());
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
    command
        ->add_option("-t,--timeline", options->timeline,
                     "Write what ran when, and how busy links, HBM and NICs were, for "
                     "ui.perfetto.dev or chrome://tracing; of the first seed")
        ->type_name("FILE.json");
    command->footer(
        "Example:\n"
        "  weftsim run configs/llama3-70b-128-h100.yaml --set 'cluster.nic.bandwidth=800 Gbps'\n"
        "Hashed routing and random placement draw by the seed: one seed's answer is an anecdote,\n"
        "--seeds 20 tells how much it means.");
    return [options] { return do_run(*options); };
}

}  // namespace sim::cli

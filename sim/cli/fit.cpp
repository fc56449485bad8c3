#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fit_report.hpp"
#include "cli/fit_tiers.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/plan_text.hpp"
#include "config/read_costs.hpp"
#include "core/error.hpp"
#include "results/summary.hpp"
#include "sweep/execute.hpp"
#include "sweep/fit.hpp"

namespace sim::cli
{
namespace
{

struct FitOptions {
    CommonOptions common;
    bool without_steps = false;
    bool zero_table = false;
    bool with_tiers = false;
    bool place = false;
    std::vector<std::string> policies{"zero-offload", "zero3-offload", "zero-infinity-nvme"};
    std::string policy_folder = "configs/hardware/offload";
    std::string costs = "configs/hardware/costs.yaml";
    double tokens = 1e9;
};

/// Of the changed experiment; nothing where its machine cannot be built.
std::optional<Time> step_time(const spec::ExperimentSpec& experiment, const FitOptions& options)
{
    if (options.without_steps) {
        return std::nullopt;
    }
    try {
        auto simulation = simulation_options(options.common);
        simulation.engine = kDefaultEngine;
        const auto steps = sweep::real_steps({}, simulation);
        const auto point = sweep::simulate_point(experiment, steps, {1, true});
        return Time::of(results::summarise(point).step.mean);
    } catch (const InputError&) {
        return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

int fit_with_tiers(const FitOptions& options, const spec::ExperimentSpec& experiment)
{
    std::vector<spec::OffloadSpec> policies;
    for (const auto& name : options.policies) {
        policies.push_back(config::load_offload(options.policy_folder + "/" + name + ".yaml"));
    }
    auto simulation = simulation_options(options.common);
    simulation.engine = kDefaultEngine;
    const auto frontier = sweep::tier_frontier(
        experiment, policies, config::load_costs(options.costs), options.tokens,
        [&](const spec::ExperimentSpec& one) { return replay::run(one, simulation); });
    print(frontier_text(frontier, options.common.format));
    return kDone;
}

int do_fit(const FitOptions& options)
{
    apply_verbosity(options.common);
    const auto loaded = config::load_experiment(options.common.file, overrides(options.common));
    if (options.zero_table) {
        print(zero_table(loaded.spec));
        return kDone;
    }
    if (options.place) {
        auto simulation = simulation_options(options.common);
        simulation.engine = kDefaultEngine;
        const auto found = sweep::place(loaded.spec, [&](const spec::ExperimentSpec& one) {
            return replay::run(one, simulation);
        });
        print(placement_text(found));
        return found.best ? kDone : kDoesNotFit;
    }
    if (options.with_tiers) {
        return fit_with_tiers(options, loaded.spec);
    }
    FitReport report;
    report.plan = plan_text(loaded.spec.workload);
    report.activations = layer_activations(loaded.spec.workload);
    report.fit = sweep::fit(loaded.spec);
    report.with_steps = !options.without_steps;
    if (report.fit.fits()) {
        report.step = step_time(loaded.spec, options);
    } else {
        for (const auto& remedy : sweep::remedies_of(loaded.spec)) {
            report.ways.push_back({remedy.keys, remedy.needed,
                                   spec::gpu_count(remedy.experiment.cluster),
                                   step_time(remedy.experiment, options)});
        }
    }
    const auto& format = options.common.format;
    print(format == "json"  ? fit_json(report)
          : format == "csv" ? fit_csv(report)
                            : fit_table(report));
    return report.fit.fits() ? kDone : kDoesNotFit;
}

}  // namespace

Action add_fit(CLI::App& program)
{
    auto options = std::make_shared<FitOptions>();
    auto* command = program.add_subcommand(
        "fit", "Say what fills the GPUs' memory, and what would make a job fit at what step time");
    add_input_options(*command, options->common, "The experiment, YAML");
    command->add_option("--format", options->common.format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    command->add_flag("--zero-table", options->zero_table,
                      "Print what DeepSpeed's estimator says of ZeRO-2 and 3 with offload");
    command->add_flag("--with-tiers", options->with_tiers,
                      "Weigh fewer GPUs with host memory and drives against more without");
    command->add_flag("--place", options->place,
                      "Choose what lives in which tier for the shortest step that fits");
    command->add_option("--policies", options->policies, "What may live outside, by file name")
        ->delimiter(',')
        ->type_name("NAME,...")
        ->capture_default_str();
    command->add_option("--policy-folder", options->policy_folder, "Where those files are")
        ->type_name("FOLDER")
        ->capture_default_str();
    command->add_option("--costs", options->costs, "Prices and powers, YAML")
        ->type_name("FILE.yaml")
        ->capture_default_str();
    command->add_option("--tokens", options->tokens, "That the job trains on")
        ->check(CLI::PositiveNumber)
        ->type_name("NUMBER")
        ->capture_default_str();
    command->add_flag("--no-steps", options->without_steps, "Do not simulate the changes");
    command->footer(
        "Example:\n"
        "  weftsim fit configs/llama3-70b-128-h100.yaml --set workload.parallel.zero=0\n"
        "Exit code 4 when it does not fit.");
    return [options] { return do_fit(*options); };
}

}  // namespace sim::cli

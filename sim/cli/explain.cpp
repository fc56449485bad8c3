#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/table.hpp"
#include "replay/prepared.hpp"
#include "results/elasticity.hpp"
#include "results/file.hpp"
#include "results/schema.hpp"
#include "sweep/execute.hpp"

namespace sim::cli
{
namespace
{

std::string change(double from, double to)
{
    return fmt::format("{:+.1f} %", 100 * (to - from) / from);
}

std::string table_of(const results::Elasticity& e)
{
    Table table;
    table.column("resource", Table::Align::left);
    table.column("elasticity");
    table.column("step at x2");
    table.column("change");
    table.column("step at infinity");
    table.column("change");
    auto rows = e.resources;
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.doubled < b.doubled; });
    for (const auto& r : rows) {
        table.row({r.resource, fmt::format("{:.3f}", r.slope), seconds(r.doubled),
                   change(e.step, r.doubled), seconds(r.endless), change(e.step, r.endless)});
    }
    return table.text();
}

std::string text_of(const results::Elasticity& e)
{
    return fmt::format(
        "{}\n{}\nElasticity: d ln(step) / d ln(capacity); -1 means the step shrinks as the "
        "resource grows.\nstep as it is: {}; with free communication: {}\n",
        wrapped(e.explanation), table_of(e), seconds(e.step), seconds(e.free_communication));
}

int do_explain(const CommonOptions& options)
{
    apply_verbosity(options);
    const auto loaded = config::load_experiment(options.file, overrides(options));
    if (!options.output.empty()) {
        results::check_writable(options.output);
    }
    auto watched = simulation_options(options);
    watched.watch = true;
    const auto steps = sweep::real_steps({}, watched);
    results::ResultSet set;
    set.points = {sweep::simulate_point(loaded.spec, steps, {1, true})};
    std::vector<std::string> resources;
    for (const auto& resource : set.points.front().runs.front().result.resources) {
        resources.push_back(resource.name);
    }
    auto with = simulation_options(options);
    with.audit = false;
    replay::Prepared prepared;
    const ProgressBar bar{"simulations", options.quiet};
    set.elasticity = results::elasticity(
        [&](const replay::Scaling& scaling) {
            with.scaling = scaling;
            return replay::run(loaded.spec, with, prepared).step.base();
        },
        resources, [&](std::size_t done, std::size_t all) { bar.show(done, all); });
    set.elasticity->largest_share = set.points.front().runs.front().result.binding;
    set.elasticity->explanation = results::explain(*set.elasticity);
    set.provenance = provenance(options, loaded.spec.seed, loaded.input_text);
    if (options.format == "table") {
        write_file(set, options.output);
        print(text_of(*set.elasticity));
    } else {
        answer(set, options, options.output);
    }
    return kDone;
}

}  // namespace

Action add_explain(CLI::App& program)
{
    auto options = std::make_shared<CommonOptions>();
    auto* command = program.add_subcommand(
        "explain", "Say what binds a step, and what more of each resource would buy");
    add_input_options(*command, *options, "The experiment, YAML");
    add_simulation_options(*command, *options);
    command->footer(
        "Example:\n"
        "  weftsim explain configs/llama3-70b-128-h100.yaml -o results/why.h5\n"
        "The step is simulated again with 2 % more and less, twice and endlessly much of each\n"
        "class of resources, and with communication that takes no time. The file is that of\n"
        "`weftsim run` and the group `elasticity`; `weftsim report` shows both.");
    return [options] { return do_explain(*options); };
}

}  // namespace sim::cli

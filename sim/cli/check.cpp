#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>
#include <tuple>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/graphviz.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/shortage.hpp"
#include "cli/tables.hpp"
#include "cli/trace_table.hpp"
#include "config/schema.hpp"
#include "core/diagnostics.hpp"
#include "formats/trace_load.hpp"
#include "replay/machine.hpp"
#include "sweep/execute.hpp"
#include "sweep/fit.hpp"

namespace sim::cli
{
namespace
{

/// Building the machine finds what reading cannot: ports that do not suffice, parts that are not
/// connected, events on resources that do not exist.
void check_machine(const config::LoadedExperiment& experiment)
{
    experiment.places.around([&] {
        static_cast<void>(replay::Machine{experiment.spec.cluster, experiment.spec.seed});
    });
}

int check_experiment(const CommonOptions& options, bool resolved)
{
    const auto loaded = config::load_experiment(options.file, overrides(options));
    check_machine(loaded);
    if (loaded.spec.trace) {
        const auto gpus = static_cast<std::uint32_t>(spec::placed_gpus(loaded.spec.cluster));
        const auto trace = formats::load_trace(*loaded.spec.trace, gpus);
        print(resolved ? loaded.resolved : trace_table(formats::summarise(trace)));
        return kDone;
    }
    const auto fit = sweep::fit(loaded.spec);
    print(resolved ? loaded.resolved : memory_table(fit));
    if (!fit.fits()) {
        complain(explain_shortage(options.file, loaded.spec));
        return kDoesNotFit;
    }
    return kDone;
}

/// What is wrong with several points alike is said of the first of them.
class WrongPoints
{
public:
    void add(const Diagnostics& found, const std::string& point)
    {
        for (auto diagnostic : found) {
            if (known_.emplace(diagnostic.file, diagnostic.line, diagnostic.message).second) {
                diagnostic.message += fmt::format(" (at {})", point);
                all_.push_back(diagnostic);
            }
        }
    }

    void refuse_if_any() const
    {
        if (!all_.empty()) {
            throw InputError{all_};
        }
    }

private:
    std::set<std::tuple<std::string, int, std::string>> known_;
    Diagnostics all_;
};

/// Every point as an experiment of its own.
int check_sweep(const CommonOptions& options)
{
    const auto loaded = config::load_sweep(options.file, overrides(options));
    const auto space = loaded.places.around([&] { return sweep::Space{loaded}; });
    const auto points = sweep::plan(space, loaded);
    std::size_t too_large = 0;
    WrongPoints wrong;
    config::ParsedFiles files;
    for (const auto p : points) {
        const auto labels = fmt::format("{}", fmt::join(space.labels(p), ", "));
        try {
            const auto point = sweep::load_point(loaded, space.settings(p), files);
            check_machine(point);
            if (!sweep::fit(point.spec).fits()) {
                complain(
                    explain_shortage(fmt::format("{} ({})", options.file, labels), point.spec));
                ++too_large;
            }
        } catch (const InputError& error) {
            wrong.add(error.diagnostics(), labels);
        }
    }
    wrong.refuse_if_any();
    print(fmt::format("{} points, {} fit in memory\n", points.size(), points.size() - too_large));
    return too_large == 0 ? kDone : kDoesNotFit;
}

int print_schema(const std::string& kind, const std::string& output)
{
    const auto schema = config::json_schema(kind);
    if (output.empty()) {
        print(schema);
    } else {
        write_text(output, schema);
    }
    return kDone;
}

/// A file is read, or a schema is made.
const CLI::Option* add_schema_options(CLI::App& command, CommonOptions& options,
                                      std::string& schema)
{
    auto* file = command.get_option("file")->required(false);
    std::vector<std::string> kinds;
    for (const auto& kind : config::schema_kinds()) {
        kinds.push_back(kind.name);
    }
    auto* kind =
        command
            .add_option("--schema", schema,
                        fmt::format("Print the JSON Schema of such files, for editors: {}, "
                                    "or a mapping of an experiment, such as cluster.gpu",
                                    fmt::join(kinds, ", ")))
            ->type_name("KIND")
            ->excludes(file);
    command.add_option("-o,--output", options.output, "Write the schema to a file")
        ->type_name("FILE.json")
        ->needs(kind);
    command.final_callback([file, kind] {
        if (file->count() + kind->count() == 0) {
            throw CLI::RequiredError{"file"};
        }
    });
    return kind;
}

}  // namespace

Action add_check(CLI::App& program)
{
    auto options = std::make_shared<CommonOptions>();
    auto resolved = std::make_shared<bool>(false);
    auto schema = std::make_shared<std::string>();
    auto* command = program.add_subcommand(
        "check", "Validate an experiment or a sweep and say whether it fits in memory");
    add_input_options(*command, *options, "The experiment or sweep, YAML");
    command->add_flag("--resolved", *resolved,
                      "Print the whole experiment, each value with its origin");
    const auto* kind = add_schema_options(*command, *options, *schema);
    command->footer(
        "Example:\n"
        "  weftsim check configs/llama3-70b-128-h100.yaml --set workload.parallel.zero=0\n"
        "  weftsim check --schema experiment -o experiment.schema.json\n"
        "Exit code 2 when the input is wrong, 4 when it does not fit.");
    return [options, resolved, schema, kind] {
        apply_verbosity(*options);
        if (kind->count() > 0) {
            return print_schema(*schema, options->output);
        }
        return config::is_sweep(options->file) ? check_sweep(*options)
                                               : check_experiment(*options, *resolved);
    };
}

}  // namespace sim::cli

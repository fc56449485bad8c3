#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/diagnostics.hpp"
#include "core/log.hpp"

namespace sim::cli
{
namespace
{

std::string name(engine::Kind kind) { return kind == engine::Kind::native ? "native" : "simgrid"; }

}  // namespace

void add_input_options(CLI::App& command, CommonOptions& options, const std::string& what)
{
    command.add_option("file", options.file, what)->required()->type_name("FILE");
    command
        .add_option("--set", options.settings,
                    "Replace the value at a dotted key before anything is read; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    auto* quiet = command.add_flag("-q,--quiet", options.quiet, "Warnings only on stderr");
    command.add_flag("-v,--verbose", options.verbose, "More on stderr")->excludes(quiet);
}

void add_simulation_options(CLI::App& command, CommonOptions& options)
{
    command.add_option("-o,--output", options.output, "Write the result as HDF5")
        ->type_name("FILE.h5");
    command.add_option("--format", options.format, "Of the answer on stdout: table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    options.engine = name(kDefaultEngine);
    command.add_option("--engine", options.engine, "What simulates: native or simgrid")
        ->check(CLI::IsMember({"native", "simgrid"}))
        ->type_name("ENGINE")
        ->capture_default_str();
    command
        .add_option("--fold", options.fold,
                    "auto: simulate ranks that do the same at the same time once, where that is "
                    "exact; off: simulate every rank")
        ->check(CLI::IsMember({"auto", "off"}))
        ->type_name("FOLD")
        ->capture_default_str();
    command
        .add_option("--fidelity", options.fidelity,
                    "Of all collectives: analytic, flow or chunk; short for --set fidelity=...")
        ->check(CLI::IsMember({"analytic", "flow", "chunk"}))
        ->type_name("FIDELITY");
    command.add_flag("--audit", options.audit,
                     "Check at every instant that the run keeps to physics; slower");
    command.add_flag("--ignore-memory", options.ignore_memory,
                     "Simulate also what does not fit in GPU memory");
}

void apply_verbosity(const CommonOptions& options)
{
    set_log_level(options.quiet     ? LogLevel::quiet
                  : options.verbose ? LogLevel::debug
                                    : LogLevel::info);
}

std::vector<config::Override> overrides(const CommonOptions& options)
{
    std::vector<config::Override> all;
    Diagnostics wrong;
    for (const auto& setting : options.settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            Diagnostic diagnostic;
            diagnostic.key = "--set";
            diagnostic.message = fmt::format("\"{}\" is not a setting", setting);
            diagnostic.hint = "write --set key=value, for example --set cluster.nodes=8";
            wrong.push_back(diagnostic);
            continue;
        }
        all.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
    }
    if (!wrong.empty()) {
        throw InputError{wrong};
    }
    if (!options.fidelity.empty()) {
        all.push_back({"fidelity", options.fidelity});
    }
    return all;
}

engine::Kind engine_kind(const CommonOptions& options)
{
    return options.engine == name(engine::Kind::native) ? engine::Kind::native
                                                        : engine::Kind::simgrid;
}

replay::Options simulation_options(const CommonOptions& options)
{
    replay::Options with;
    with.engine = engine_kind(options);
    with.fold = options.fold == "off" ? replay::Fold::off : replay::Fold::automatic;
    with.audit = options.audit;
    return with;
}

}  // namespace sim::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "core/log.hpp"
#include "formats/chakra_write.hpp"
#include "replay/exported_trace.hpp"

namespace sim::cli
{
namespace
{

struct ExportOptions : CommonOptions {
    std::string prefix = "job";
};

int export_chakra(const ExportOptions& options)
{
    apply_verbosity(options);
    const auto loaded = config::load_experiment(options.file, overrides(options));
    const auto trace = replay::exported_trace(loaded.spec);
    formats::write_chakra(trace, options.output, options.prefix);
    Log{"cli"}.info(fmt::format("wrote {}/{}.N.et of {} ranks", options.output, options.prefix,
                                formats::rank_count(trace)));
    return kDone;
}

}  // namespace

Action add_export(CLI::App& program)
{
    auto options = std::make_shared<ExportOptions>();
    auto* command =
        program.add_subcommand("export", "Write what is simulated for other simulators");
    command->require_subcommand(1);
    auto* chakra = command->add_subcommand(
        "chakra", "One step of an experiment as Chakra execution traces 0.0.4, one file a rank");
    add_input_options(*chakra, *options, "The experiment, YAML");
    chakra->add_option("-o,--output", options->output, "Folder of the files; made when it is new")
        ->required()
        ->type_name("FOLDER");
    chakra->add_option("--prefix", options->prefix, "The files are PREFIX.0.et, PREFIX.1.et, ...")
        ->type_name("PREFIX")
        ->capture_default_str();
    chakra->footer(
        "Kernels have their time alone on the cluster's GPU, FLOPs and bytes; collectives kind,\n"
        "bytes and group.\n"
        "Example:\n"
        "  weftsim export chakra configs/llama3-70b-128-h100.yaml -o traces/llama3-70b");
    return [options] { return export_chakra(*options); };
}

}  // namespace sim::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/validate_memory.hpp"
#include "cli/validate_table.hpp"
#include "core/error.hpp"

namespace sim::cli
{
namespace
{

struct ValidateOptions {
    std::string file;
    std::string output;
    bool summary = false;
    std::string map = "configs/validation/collective-systems.yaml";
};

void write(const std::string& path, const std::string& text)
{
    std::ofstream file{path};
    file << text;
    file.flush();
    if (!file) {
        throw Error{fmt::format("cannot write {}", path)};
    }
}

int validate_collectives(const ValidateOptions& options)
{
    const CsvTable table{options.file};
    CollectiveValidation validation{config::load_measured_systems(options.map)};
    const auto rows = validation.run(table);
    if (!options.output.empty()) {
        write(options.output, validation_csv(table, rows));
    }
    print(options.summary ? validation_summary(rows) : validation_table(rows));
    return kDone;
}

}  // namespace

Action add_validate(CLI::App& program)
{
    auto options = std::make_shared<ValidateOptions>();
    auto* command = program.add_subcommand("validate", "Compare with published measurements");
    command->require_subcommand(1);
    auto* collectives =
        command->add_subcommand("collectives", "Collectives, in the columns of nccl-tests");
    collectives
        ->add_option("file", options->file,
                     "CSV with system, n_gpus, n_nodes, collective and size_bytes; time_us, "
                     "busbw_GBps, algo_proto and healthy may be left out")
        ->required()
        ->type_name("FILE.csv");
    collectives->add_option("-o,--output", options->output, "Every row with its prediction")
        ->type_name("FILE.csv");
    collectives->add_flag("--summary", options->summary, "All sets together, nothing else");
    collectives->add_option("--map", options->map, "Which machine each system is")
        ->type_name("FILE.yaml")
        ->capture_default_str();
    collectives->footer(
        "Example:\n"
        "  weftsim validate collectives tests/validation/collectives.csv -o results/rows.csv\n"
        "A row whose machine is not in the table is listed with the reason, never dropped.");
    const auto memory = add_validate_memory(*command);
    return [options, command, memory] {
        return command->got_subcommand("memory") ? memory() : validate_collectives(*options);
    };
}

}  // namespace sim::cli

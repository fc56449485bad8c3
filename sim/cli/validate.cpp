#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/kernel_rows.hpp"
#include "cli/output.hpp"
#include "cli/validate_memory.hpp"
#include "cli/validate_offload.hpp"
#include "cli/validate_steps.hpp"
#include "cli/validate_table.hpp"
#include "config/measured_gpus.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

struct ValidateOptions {
    std::string file;
    std::string output;
    bool summary = false;
    std::string map = "configs/validation/collective-systems.yaml";
    std::string gpus = "configs/validation/kernel-gpus.yaml";
};

int validate_collectives(const ValidateOptions& options)
{
    const CsvTable table{options.file};
    CollectiveValidation validation{config::load_measured_systems(options.map)};
    const auto rows = validation.run(table);
    if (!options.output.empty()) {
        results::write_atomically(options.output, validation_csv(table, rows));
    }
    print(options.summary ? validation_summary(rows) : validation_table(rows));
    return kDone;
}

int validate_kernels(const ValidateOptions& options)
{
    const CsvTable table{options.file};
    const auto rows = kernel_rows(table, config::load_measured_gpus(options.gpus));
    if (!options.output.empty()) {
        results::write_atomically(options.output, kernel_csv(table, rows));
    }
    print(kernel_table(table, rows));
    return kDone;
}

void add_collectives(CLI::App& command, const std::shared_ptr<ValidateOptions>& options)
{
    auto* collectives =
        command.add_subcommand("collectives", "Collectives, in the columns of nccl-tests");
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
}

void add_kernels(CLI::App& command, const std::shared_ptr<ValidateOptions>& options)
{
    auto* kernels = command.add_subcommand("kernels", "Matrix products and attention of one GPU");
    kernels
        ->add_option("file", options->file,
                     "CSV with kind, gpu, kernel, dtype, shape and metric; value may be left out")
        ->required()
        ->type_name("FILE.csv");
    kernels->add_option("-o,--output", options->output, "Every row with its prediction")
        ->type_name("FILE.csv");
    kernels->add_option("--map", options->gpus, "Which GPU each measured one is")
        ->type_name("FILE.yaml")
        ->capture_default_str();
    kernels->footer(
        "Example:\n"
        "  weftsim validate kernels tests/validation/kernels.csv -o results/rows.csv\n"
        "A row that cannot be predicted is counted with the reason, never dropped.");
}

}  // namespace

Action add_validate(CLI::App& program)
{
    auto options = std::make_shared<ValidateOptions>();
    auto* command = program.add_subcommand("validate", "Compare with published measurements");
    command->require_subcommand(1);
    add_collectives(*command, options);
    add_kernels(*command, options);
    const auto memory = add_validate_memory(*command);
    const auto steps = add_validate_steps(*command);
    const auto offload = add_validate_offload(*command);
    return [options, command, memory, steps, offload] {
        if (command->got_subcommand("offload")) {
            return offload();
        }
        if (command->got_subcommand("steps")) {
            return steps();
        }
        if (command->got_subcommand("memory")) {
            return memory();
        }
        return command->got_subcommand("kernels") ? validate_kernels(*options)
                                                  : validate_collectives(*options);
    };
}

}  // namespace sim::cli

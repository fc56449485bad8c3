#include "cli/import.hpp"

#include <CLI/CLI.hpp>

namespace sim::cli
{

Action add_import(CLI::App& program)
{
    auto* command = program.add_subcommand("import", "Turn other tools' files into ours");
    command->require_subcommand(1);
    return add_import_topology(*command);
}

}  // namespace sim::cli

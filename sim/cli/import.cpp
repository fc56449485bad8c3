#include "cli/import.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace sim::cli
{

Action add_import(CLI::App& program)
{
    auto* command = program.add_subcommand("import", "Turn other tools' files into ours");
    command->require_subcommand(1);
    auto topology = add_import_topology(*command);
    auto plan = add_import_plan(*command);
    auto trace = add_import_trace(*command);
    return [command, topology = std::move(topology), plan = std::move(plan),
            trace = std::move(trace)] {
        return command->got_subcommand("plan")    ? plan()
               : command->got_subcommand("trace") ? trace()
                                                  : topology();
    };
}

}  // namespace sim::cli

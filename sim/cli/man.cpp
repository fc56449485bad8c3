#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/page_of_command.hpp"
#include "results/version.hpp"

namespace sim::cli
{

Action add_man(CLI::App& program)
{
    auto* command = program.add_subcommand("man", "Print the manual page");
    command->footer(
        "Example:\n"
        "  weftsim man > ~/.local/share/man/man1/weftsim.1");
    return [&program] {
        print(man_page(program, results::version()));
        return kDone;
    };
}

}  // namespace sim::cli

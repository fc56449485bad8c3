#include "cli/app.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"
#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "engine/engine.hpp"
#include "results/version.hpp"

namespace sim::cli
{
namespace
{

constexpr const char* kExamples =
    "Example:\n"
    "  weftsim run configs/llama3-70b-128-h100.yaml --set cluster.nodes=32\n"
    "`weftsim COMMAND --help` tells more about a command.\n"
    "Exit codes: 0 done, 1 a file or the machine failed, 2 the input is wrong, 3 points of a "
    "sweep\n"
    "failed, 4 it does not fit in memory, 5 a bug.";

/// Help and version go to stdout with 0, mistakes to stderr with 2.
int end_of_parsing(const CLI::App& program, const CLI::ParseError& error)
{
    std::ostringstream answer;
    std::ostringstream complaint;
    const int code = program.exit(error, answer, complaint);
    print(answer.str());
    if (code == 0) {
        return kDone;
    }
    complain(complaint.str());
    return kInputWrong;
}

int parse_and_do(std::vector<std::string> arguments)
{
    CLI::App program{"Simulates the memory hierarchy and the cluster fabric under AI training.",
                     "weftsim"};
    program.require_subcommand(1);
    program.set_version_flag("--version", version_text());
    program.footer(kExamples);
    program.failure_message([](const CLI::App* app, const CLI::Error& error) {
        return fmt::format("weftsim: {}\nRun {} --help for what it takes.\n", error.what(),
                           app->get_subcommands().empty()
                               ? app->get_name()
                               : "weftsim " + app->get_subcommands().front()->get_name());
    });
    const std::pair<const char*, Action> commands[] = {{"run", add_run(program)},
                                                       {"sweep", add_sweep(program)},
                                                       {"check", add_check(program)},
                                                       {"topology", add_topology(program)},
                                                       {"import", add_import(program)},
                                                       {"comm", add_comm(program)},
                                                       {"memory", add_memory(program)},
                                                       {"copy", add_copy(program)},
                                                       {"fit", add_fit(program)},
                                                       {"export", add_export(program)},
                                                       {"validate", add_validate(program)},
                                                       {"explain", add_explain(program)},
                                                       {"report", add_report(program)},
                                                       {"compare", add_compare(program)},
                                                       {"plot", add_plot(program)},
                                                       {"completion", add_completion(program)},
                                                       {"man", add_man(program)}};
    try {
        std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
        program.parse(arguments);
    } catch (const CLI::ParseError& error) {
        return end_of_parsing(program, error);
    }
    for (const auto& [name, action] : commands) {
        if (program.got_subcommand(name)) {
            return action();
        }
    }
    throw ContractViolation{"a command without an action"};
}

int bug(const std::string& what)
{
    complain(
        fmt::format("weftsim: this is a bug: {}\nPlease report it with the command, its input "
                    "files and this: weftsim {} ({})",
                    what, results::version(), results::git_sha()));
    return kBug;
}

}  // namespace

int run(const std::vector<std::string>& arguments)
{
    // A reader that leaves is then a failed write, told as such.
    std::signal(SIGPIPE, SIG_IGN);
    // A limit of file sizes (ulimit -f) is then an error of the write, told like a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return parse_and_do(arguments);
    } catch (const InputError& error) {
        complain(render(error.diagnostics()));
        return kInputWrong;
    } catch (const Error& error) {
        complain(fmt::format("weftsim: {}", error.what()));
        return kWorldFailed;
    } catch (const engine::Stalled& stalled) {
        complain(fmt::format("weftsim: {}", stalled.what()));
        return kWorldFailed;
    } catch (const std::bad_alloc&) {
        complain("weftsim: out of memory");
        return kWorldFailed;
    } catch (const std::exception& error) {
        return bug(error.what());
    }
}

}  // namespace sim::cli

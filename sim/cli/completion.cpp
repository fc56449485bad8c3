#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/page_of_command.hpp"

namespace sim::cli
{
namespace
{

std::string options_of(const CommandWords& command)
{
    std::vector<std::string> names;
    for (const auto& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return fmt::format("{}", fmt::join(names, " "));
}

/// Values of an option are offered after it; anything else is a file.
std::string bash(const std::vector<CommandWords>& commands)
{
    std::vector<std::string> names;
    std::string cases;
    for (const auto& command : commands) {
        names.push_back(command.name);
        for (const auto& option : command.options) {
            for (const auto& name :
                 option.values.empty() ? std::vector<std::string>{} : option.names) {
                cases += fmt::format("        {}:{}) words='{}' ;;\n", command.name, name,
                                     fmt::join(option.values, " "));
            }
        }
    }
    std::string options;
    for (const auto& command : commands) {
        options +=
            fmt::format("            {}) words='{}' ;;\n", command.name, options_of(command));
    }
    return fmt::format(
        "# bash completion of weftsim; made by `weftsim completion bash`.\n"
        "_weftsim()\n{{\n"
        "    local word=\"${{COMP_WORDS[COMP_CWORD]}}\" command=\"${{COMP_WORDS[1]}}\" words=''\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$word\")\n"
        "        return\n    fi\n"
        "    case \"$command:${{COMP_WORDS[COMP_CWORD-1]}}\" in\n{}    esac\n"
        "    if [ -z \"$words\" ] && [[ \"$word\" == -* ]]; then\n"
        "        case \"$command\" in\n{}        esac\n    fi\n"
        "    if [ -n \"$words\" ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
        "    else\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}}\n"
        "complete -o filenames -F _weftsim weftsim\n",
        fmt::join(names, " "), cases, options);
}

/// Quotes inside quotes, and what zsh reads as marks.
std::string for_zsh(const std::string& words)
{
    std::string text;
    for (const char c : words) {
        text += c == '\''                          ? "'\\''"
                : c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c)
                                                   : std::string{c};
    }
    return text;
}

std::string zsh(const std::vector<CommandWords>& commands)
{
    std::string names;
    std::string cases;
    for (const auto& command : commands) {
        names += fmt::format("        '{}:{}'\n", command.name, for_zsh(command.description));
        cases += fmt::format("        {})\n            _arguments", command.name);
        for (const auto& option : command.options) {
            for (const auto& name : option.names) {
                const auto value = option.flag ? std::string{}
                                   : option.values.empty()
                                       ? ":value:_files"
                                       : fmt::format(":value:({})", fmt::join(option.values, " "));
                cases += fmt::format(" \\\n                '*{}[{}]{}'", name,
                                     for_zsh(option.description), value);
            }
        }
        cases += " \\\n                '*:file:_files' ;;\n";
    }
    return fmt::format(
        "#compdef weftsim\n# zsh completion of weftsim; made by `weftsim completion zsh`.\n"
        "_weftsim()\n{{\n    local -a commands=(\n{}    )\n"
        "    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    "
        "fi\n    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
        "    case $command in\n{}    esac\n}}\n_weftsim \"$@\"\n",
        names, cases);
}

std::string for_fish(const std::string& words)
{
    std::string text;
    for (const char c : words) {
        text += c == '\'' || c == '\\' ? fmt::format("\\{}", c) : std::string{c};
    }
    return text;
}

std::string fish(const std::vector<CommandWords>& commands)
{
    std::string text = "# fish completion of weftsim; made by `weftsim completion fish`.\n";
    for (const auto& command : commands) {
        text += fmt::format("complete -c weftsim -n __fish_use_subcommand -f -a {} -d '{}'\n",
                            command.name, for_fish(command.description));
    }
    for (const auto& command : commands) {
        for (const auto& option : command.options) {
            text += fmt::format("complete -c weftsim -n '__fish_seen_subcommand_from {}'",
                                command.name);
            for (const auto& name : option.names) {
                text +=
                    name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            text += option.flag ? ""
                    : option.values.empty()
                        ? " -r -F"
                        : fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
            text += fmt::format(" -d '{}'\n", for_fish(option.description));
        }
    }
    return text;
}

}  // namespace

Action add_completion(CLI::App& program)
{
    auto shell = std::make_shared<std::string>();
    auto* command =
        program.add_subcommand("completion", "Print what makes a shell complete these commands");
    command->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    command->footer(
        "Example:\n"
        "  weftsim completion bash > ~/.local/share/bash-completion/completions/weftsim");
    return [shell, &program] {
        const auto commands = words_of_commands(program);
        print(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
        return kDone;
    };
}

}  // namespace sim::cli

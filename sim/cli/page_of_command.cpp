#include "cli/page_of_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace sim::cli
{
namespace
{

/// A list's description is "{a,b,c}"; of other checks, and of none, there are no values.
std::vector<std::string> values_of(CLI::Option& option)
{
    std::vector<std::string> values;
    std::string list;
    try {
        list = option.get_validator(0)->get_description();
    } catch (const CLI::OptionNotFound&) {
        return values;
    }
    if (list.size() < 2 || list.front() != '{' || list.back() != '}') {
        return values;
    }
    for (const auto& value : CLI::detail::split(list.substr(1, list.size() - 2), ',')) {
        values.push_back(value);
    }
    return values;
}

OptionWords words_of(CLI::Option& option)
{
    OptionWords words;
    for (const auto& name : option.get_snames()) {
        words.names.push_back("-" + name);
    }
    for (const auto& name : option.get_lnames()) {
        words.names.push_back("--" + name);
    }
    words.description = option.get_description();
    words.flag = option.get_items_expected_max() == 0;
    words.type = words.flag ? "" : option.get_type_name();
    words.values = values_of(option);
    return words;
}

/// A line that begins with a dot or a quote, or holds a backslash, would be man's.
std::string plain(const std::string& words)
{
    std::string text;
    for (const char c : words) {
        const bool first = text.empty() || text.back() == '\n';
        text += c == '\\'                          ? "\\e"
                : c == '-'                         ? "\\-"
                : first && (c == '.' || c == '\'') ? fmt::format("\\&{}", c)
                                                   : std::string{c};
    }
    return text;
}

std::string section_of(const CommandWords& command)
{
    std::string text =
        fmt::format(".SS \"weftsim {}\"\n{}.\n", command.name, plain(command.description));
    for (const auto& option : command.options) {
        text += fmt::format(".TP\n.B {}{}{}\n{}\n",
                            plain(fmt::format("{}", fmt::join(option.names, ", "))),
                            option.names.empty() || option.flag ? "" : " ", plain(option.type),
                            plain(option.description));
        if (!option.values.empty()) {
            text += plain(fmt::format("(one of {})", fmt::join(option.values, ", "))) + "\n";
        }
    }
    return text + fmt::format(".PP\n.nf\n{}\n.fi\n", plain(command.footer));
}

}  // namespace

std::vector<CommandWords> words_of_commands(const CLI::App& program)
{
    std::vector<CommandWords> commands;
    for (const auto* app : program.get_subcommands([](const CLI::App*) { return true; })) {
        CommandWords words{app->get_name(), app->get_description(), app->get_footer(), {}};
        for (const auto* option : app->get_options()) {
            words.options.push_back(words_of(const_cast<CLI::Option&>(*option)));
        }
        commands.push_back(std::move(words));
    }
    return commands;
}

std::string man_page(const CLI::App& program, const std::string& version)
{
    std::string text = fmt::format(
        ".TH WEFTSIM 1 \"\" \"weftsim {}\" \"User Commands\"\n.SH NAME\nweftsim \\- {}\n"
        ".SH SYNOPSIS\n.B weftsim\n.I COMMAND\n[options]\n.SH COMMANDS\n",
        plain(version), plain(program.get_description()));
    for (const auto& command : words_of_commands(program)) {
        text += section_of(command);
    }
    return text + fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", plain(program.get_footer()));
}

}  // namespace sim::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/memory_report.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "config/read_memory.hpp"
#include "core/diagnostics.hpp"

namespace sim::cli
{
namespace
{

constexpr int kMostInFlight = 65536;

struct MemoryOptions {
    CommonOptions common;
    std::string pattern = "read";
    int stacks = 1;
    int in_flight = 0;
    std::string sweep;
    double read_factor = 0;
};

[[noreturn]] void refuse_sweep(const std::string& text)
{
    Diagnostic diagnostic;
    diagnostic.key = "--sweep";
    diagnostic.message = fmt::format("\"{}\" is no sweep", text);
    diagnostic.hint = "write in-flight=1..512";
    throw InputError{{diagnostic}};
}

int number(const std::string& whole, std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 ||
        value > kMostInFlight) {
        refuse_sweep(whole);
    }
    return value;
}

/// 1, 2, 4, ... from the first number of "in-flight=A..B" up to the second, which is the last.
std::vector<int> sweep_points(const std::string& text)
{
    constexpr std::string_view kKey = "in-flight=";
    const auto dots = text.find("..");
    if (!text.starts_with(kKey) || dots == std::string::npos) {
        refuse_sweep(text);
    }
    const std::string_view view{text};
    const int first = number(text, view.substr(kKey.size(), dots - kKey.size()));
    const int last = number(text, view.substr(dots + 2));
    if (first > last) {
        refuse_sweep(text);
    }
    std::vector<int> points;
    for (int point = first; point < last; point *= 2) {
        points.push_back(point);
    }
    points.push_back(last);
    return points;
}

MemoryQuestion question_of(const MemoryOptions& options)
{
    const auto loaded = config::load_dram(options.common.file, overrides(options.common));
    if (!loaded.warnings.empty() && !options.common.quiet) {
        complain(render(loaded.warnings));
    }
    MemoryQuestion question;
    question.dram = loaded.spec;
    question.stacks = options.stacks;
    question.pattern = options.pattern;
    question.accesses = memory::pattern_by_name(options.pattern);
    question.in_flight = options.in_flight;
    if (options.pattern == "chase" && question.in_flight == 0) {
        question.in_flight = 1;
    }
    if (options.read_factor > 0) {
        question.read_factor = options.read_factor;
    }
    return question;
}

int do_memory(const MemoryOptions& options)
{
    apply_verbosity(options.common);
    auto question = question_of(options);
    std::vector<MemoryAnswer> answers;
    if (options.sweep.empty()) {
        answers.push_back(answer_memory(question));
    } else {
        for (const auto point : sweep_points(options.sweep)) {
            question.in_flight = point;
            answers.push_back(answer_memory(question));
        }
    }
    const auto& format = options.common.format;
    print(format == "json"        ? memory_json(answers)
          : format == "csv"       ? memory_csv(answers)
          : options.sweep.empty() ? memory_text(answers.front())
                                  : memory_rows(answers));
    return kDone;
}

}  // namespace

Action add_memory(CLI::App& program)
{
    auto options = std::make_shared<MemoryOptions>();
    auto* command = program.add_subcommand(
        "memory", "Say what a DRAM stack or module achieves, and what holds it back");
    add_input_options(*command, options->common, "The memory, YAML");
    command
        ->add_option("--pattern", options->pattern,
                     "read, write, copy, scale, triad, chase, streams-N, mix-R-W, random-BYTES or "
                     "strided-BYTES")
        ->capture_default_str();
    command->add_option("--stacks", options->stacks, "Equal stacks or modules side by side")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command
        ->add_option("--in-flight", options->in_flight,
                     "Accesses on the way per channel (Little's law); 0: what the queues take")
        ->check(CLI::Range(0, kMostInFlight))
        ->capture_default_str();
    command->add_option("--sweep", options->sweep, "in-flight=1..512: a row a doubling");
    command
        ->add_option("--read-factor", options->read_factor,
                     "Measured over modelled bandwidth of saturated reads")
        ->check(CLI::Range(0.0, 1.0));
    command->add_option("--format", options->common.format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    command->footer(
        "Example:\n"
        "  weftsim memory configs/hardware/memory/hbm3.yaml --pattern triad --stacks 5");
    return [options] { return do_memory(*options); };
}

}  // namespace sim::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/memory_document.hpp"
#include "cli/memory_drive.hpp"
#include "cli/memory_report.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "config/read_memory.hpp"
#include "config/read_storage.hpp"
#include "core/diagnostics.hpp"
#include "core/log.hpp"
#include "core/quantity_text.hpp"
#include "memory/memory_trace.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

constexpr int kMostInFlight = 65536;

struct MemoryOptions {
    CommonOptions common;
    std::string pattern = "read";
    std::string trace;
    int stacks = 0;  ///< 0: as many as the file says, or one
    int in_flight = 0;
    std::string sweep;
    double read_factor = 0;
    std::string written_a_day;
};

[[noreturn]] void refuse_sweep(const std::string& text)
{
    sim::refuse("--sweep", fmt::format("\"{}\" is no sweep", text), "write in-flight=1..512");
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

void warn(const Diagnostics& warnings, const MemoryOptions& options)
{
    if (!warnings.empty() && !options.common.quiet) {
        complain(render(warnings));
    }
}

/// All but the device.
MemoryQuestion question_of(const MemoryOptions& options)
{
    MemoryQuestion question;
    question.stacks = std::max(1, options.stacks);
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

/// Fills in a device or the memory of a GPU; returns what was read.
std::string load_device(MemoryQuestion& question, const MemoryOptions& options,
                        config::DeviceKind kind)
{
    const auto settings = overrides(options.common);
    if (kind == config::DeviceKind::dram) {
        const auto loaded = config::load_dram(options.common.file, settings);
        warn(loaded.warnings, options);
        question.dram = loaded.spec;
        return loaded.input_text;
    }
    const auto gpu = config::load_gpu_memory(options.common.file, settings);
    question.dram = gpu.dram;
    question.dram.name = gpu.name;
    question.stacks = options.stacks > 0 ? options.stacks : gpu.stacks;
    if (!question.read_factor) {
        question.read_factor = gpu.read_factor;
    }
    return options.common.file;
}

void load_trace(MemoryQuestion& question, const MemoryOptions& options)
{
    const auto capacity = memory::DramSystem{question.dram, question.stacks}.capacity();
    question.trace = memory::read_trace(options.trace, question.dram, capacity).accesses;
    question.pattern = options.trace;
    if (question.trace.empty()) {
        Diagnostic diagnostic;
        diagnostic.file = options.trace;
        diagnostic.message = "no access in it";
        diagnostic.hint = "write a line an access: 0x2000D5C0 READ 30, or LD 0x1000";
        throw InputError{{diagnostic}};
    }
}

void deliver(const MemoryOptions& options, const results::Document& document,
             const std::string& text, const std::string& dimension)
{
    const auto& common = options.common;
    if (!common.output.empty()) {
        results::write_hdf5(document, common.output);
        Log{"cli"}.info("wrote " + common.output);
    }
    print(common.format == "json"  ? results::to_json(document)
          : common.format == "csv" ? results::to_wide_csv(document, {dimension})
                                   : text);
}

int do_dram(const MemoryOptions& options, config::DeviceKind kind)
{
    auto question = question_of(options);
    const auto input_text = load_device(question, options, kind);
    if (!options.trace.empty()) {
        load_trace(question, options);
    }
    std::vector<MemoryAnswer> answers;
    const auto points =
        options.sweep.empty() ? std::vector<int>{question.in_flight} : sweep_points(options.sweep);
    for (const auto point : points) {
        question.in_flight = point;
        answers.push_back(answer_memory(question));
    }
    deliver(options, memory_document(answers, input_text),
            options.sweep.empty() ? memory_text(answers.front()) : memory_rows(answers), kInFlight);
    return kDone;
}

Bytes written_a_day(const MemoryOptions& options)
{
    const auto parsed = parse<Bytes>(options.written_a_day);
    if (!parsed || *parsed.value <= Bytes{}) {
        sim::refuse("--written-a-day", parsed ? "must be above 0" : parsed.message,
                    parsed ? "write 10 TB" : parsed.hint);
    }
    return *parsed.value;
}

int do_ssd(const MemoryOptions& options)
{
    const auto loaded = config::load_ssd(options.common.file, overrides(options.common));
    warn(loaded.warnings, options);
    const auto question = question_of(options);
    const auto answers =
        !options.sweep.empty()   ? drive_sweep(loaded.spec, question, sweep_points(options.sweep))
        : question.in_flight > 0 ? drive_sweep(loaded.spec, question, {question.in_flight})
                                 : drive_answers(loaded.spec, question.stacks);
    const bool whole = options.sweep.empty() && question.in_flight == 0;
    const auto wear = options.written_a_day.empty()
                          ? std::string{}
                          : "\n" + wear_text(loaded.spec, question.stacks, written_a_day(options));
    deliver(
        options, drive_document(loaded.spec, answers, loaded.input_text),
        (whole ? drive_text(loaded.spec, question.stacks, answers) : drive_rows(answers)) + wear,
        kAccess);
    return kDone;
}

int do_memory(const MemoryOptions& options)
{
    apply_verbosity(options.common);
    if (!options.common.output.empty()) {
        results::check_writable(options.common.output);
    }
    const auto settings = overrides(options.common);
    switch (const auto kind = config::device_kind(options.common.file, settings)) {
        case config::DeviceKind::ssd:
            return do_ssd(options);
        case config::DeviceKind::hdd:
            print(hdd_text(config::load_hdd(options.common.file, settings).spec));
            return kDone;
        case config::DeviceKind::dram:
        case config::DeviceKind::gpu_memory:
            return do_dram(options, kind);
    }
    return kDone;
}

}  // namespace

Action add_memory(CLI::App& program)
{
    auto options = std::make_shared<MemoryOptions>();
    auto* command = program.add_subcommand(
        "memory", "Say what a DRAM stack, a GPU's memory or a drive achieves, and what holds it");
    add_input_options(*command, options->common, "The memory or drive, YAML");
    auto* pattern = command->add_option(
        "--pattern", options->pattern,
        "read, write, copy, scale, triad, chase, streams-N, mix-R-W, random-BYTES, strided-BYTES");
    pattern->capture_default_str();
    command
        ->add_option("--trace", options->trace,
                     "Accesses of a file in DRAMsim3's or Ramulator's format, instead")
        ->type_name("FILE")
        ->excludes(pattern);
    command
        ->add_option("--stacks", options->stacks,
                     "Equal stacks, modules or striped drives side by side")
        ->check(CLI::Range(1, 64));
    command
        ->add_option("--in-flight", options->in_flight,
                     "Accesses on the way, of DRAM a channel (Little's law); 0: what queues take")
        ->check(CLI::Range(0, kMostInFlight))
        ->capture_default_str();
    command->add_option("--sweep", options->sweep, "in-flight=1..512: a row a doubling");
    command
        ->add_option("--read-factor", options->read_factor,
                     "Measured over modelled bandwidth of saturated reads")
        ->check(CLI::Range(0.0, 1.0));
    command
        ->add_option("--written-a-day", options->written_a_day,
                     "To a drive or a stripe, such as 10 TB: how long until it is worn out")
        ->type_name("BYTES");
    command->add_option("-o,--output", options->common.output, "Write the answer as HDF5")
        ->type_name("FILE.h5");
    command->add_option("--format", options->common.format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    command->footer(
        "Example:\n"
        "  weftsim memory configs/hardware/memory/hbm3.yaml --pattern triad --stacks 5");
    return [options] { return do_memory(*options); };
}

}  // namespace sim::cli

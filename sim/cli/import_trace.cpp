#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/exit_code.hpp"
#include "cli/import.hpp"
#include "cli/output.hpp"
#include "cli/trace_table.hpp"
#include "core/quantity_text.hpp"
#include "formats/trace_load.hpp"
#include "formats/trace_summary.hpp"

namespace sim::cli
{
namespace
{

constexpr int kMostGpus = 1'000'000;

struct TraceOptions {
    spec::TraceSpec trace;
    std::string assumed_size;
    std::optional<std::uint32_t> gpus;
    bool summary = true;
    std::string format = "table";
};

std::string as_csv(const formats::TraceSummary& summary)
{
    std::string text = "communication,size_bytes,ranks,number\n";
    for (const auto& each : summary.traffic) {
        text += fmt::format("{},{},{},{}\n", each.kind, each.size, each.members, each.count);
    }
    return text;
}

std::string as_json(const formats::TraceSummary& summary)
{
    nlohmann::ordered_json document = {{"format", summary.format},
                                       {"ranks", summary.ranks},
                                       {"groups", summary.groups},
                                       {"nodes", summary.nodes},
                                       {"least_compute_s", summary.least_compute},
                                       {"most_compute_s", summary.most_compute},
                                       {"critical_path_s", summary.critical_path},
                                       {"without_time", summary.without_time},
                                       {"recorded_s", summary.recorded},
                                       {"communication_s", summary.overlap.communication},
                                       {"hidden_communication_s", summary.overlap.hidden}};
    auto& list = document["communication"] = nlohmann::ordered_json::array();
    for (const auto& each : summary.traffic) {
        list.push_back({{"kind", each.kind},
                        {"size_bytes", each.size},
                        {"ranks", each.members},
                        {"number", each.count}});
    }
    auto& notes = document["notes"] = nlohmann::ordered_json::array();
    for (const auto& note : summary.notes) {
        notes.push_back(note.message);
    }
    return document.dump(2) + "\n";
}

int import_trace(TraceOptions& options)
{
    if (!options.assumed_size.empty()) {
        const auto size = parse<Bytes>(options.assumed_size);
        if (!size) {
            sim::refuse("--assume-size", size.message, size.hint);
        }
        options.trace.assumed_size = size.value;
    }
    const auto summary = formats::summarise(formats::read_trace(options.trace, options.gpus));
    if (!summary.notes.empty()) {
        complain(render(summary.notes));
    }
    print(options.format == "json"  ? as_json(summary)
          : options.format == "csv" ? as_csv(summary)
                                    : trace_table(summary));
    return kDone;
}

}  // namespace

Action add_import_trace(CLI::App& import_command)
{
    auto options = std::make_shared<TraceOptions>();
    auto* command = import_command.add_subcommand(
        "trace", "Tell what a recorded job holds, before it is simulated");
    command
        ->add_option(
            "file", options->trace.path,
            "PREFIX of Chakra files PREFIX.N.et, one of them, their folder or archive; files "
            "of PyTorch's profiler (.json, .json.gz), one or all ranks'; a text workload of "
            "ASTRA-sim or SimAI; a GOAL schedule")
        ->required()
        ->type_name("FILE");
    command->add_flag("--summary", options->summary,
                      "What this command does; for scripts that say it");
    command
        ->add_option("--gpus", options->gpus,
                     "Ranks of the job, for text workloads, which do not tell")
        ->check(CLI::Range(1, kMostGpus))
        ->type_name("NUMBER");
    command
        ->add_option("--assume-size", options->assumed_size,
                     "Of communication whose size is not recorded, as '1 MiB'; it is refused "
                     "otherwise")
        ->type_name("SIZE");
    command
        ->add_option("--rank", options->trace.rank,
                     "Of a single file of PyTorch's profiler that does not tell its own")
        ->type_name("NUMBER");
    command->add_option("--format", options->format, "Of the answer on stdout")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    command->footer(
        "To simulate it, name it in an experiment instead of a workload:\n"
        "  trace: { file: traces/llama7b }\n"
        "Example:\n"
        "  weftsim import trace traces/llama7b");
    return [options] { return import_trace(*options); };
}

}  // namespace sim::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/exit_code.hpp"
#include "cli/import.hpp"
#include "cli/import_hardware.hpp"
#include "cli/output.hpp"
#include "core/log.hpp"
#include "formats/plan.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

struct PlanOptions {
    std::string file;
    std::string output;
    std::string hardware;
    std::string kind;
    std::string framework;
    formats::PlanAnswers answers;
};

std::string kinds()
{
    std::string text = "What FILE is, when its content does not show it:";
    for (const auto& kind : formats::plan_kinds()) {
        text += fmt::format("\n{} ({})", kind.word, kind.what);
    }
    return text;
}

/// A file of configs/hardware/framework by its name.
void find_framework(PlanOptions& options)
{
    if (options.framework.empty()) {
        return;
    }
    const auto hardware = find_hardware(options.hardware);
    const auto file = std::filesystem::path{hardware} / "framework" / (options.framework + ".yaml");
    if (!std::filesystem::exists(file)) {
        refuse("--framework", fmt::format("there is no {}", file.generic_string()),
               "name a file of that folder without its ending");
    }
    options.answers.framework =
        seen_from(options.output, hardware) + "/framework/" + options.framework + ".yaml";
}

int import_plan(PlanOptions& options)
{
    find_framework(options);
    auto answers = options.answers;
    if (!answers.model.empty()) {
        answers.model = seen_from(options.output, answers.model);
    }
    const auto plan = formats::read_plan(options.file, options.kind);
    const auto written = formats::write_plan(plan, answers, options.file);
    if (!plan.warnings.empty()) {
        complain(render(plan.warnings));
    }
    if (options.output.empty()) {
        print(written);
    } else {
        results::write_atomically(options.output, written);
        Log{"cli"}.info(fmt::format("wrote {}", options.output));
    }
    return kDone;
}

void add_answers(CLI::App& command, PlanOptions& options)
{
    auto& answers = options.answers;
    command.add_option("--model", answers.model, "config.json of the model, when FILE has none")
        ->type_name("FILE.json");
    command.add_option("--framework", options.framework, "A file of configs/hardware/framework")
        ->type_name("NAME");
    const auto number = [&](const char* option, std::optional<std::int64_t>& value,
                            const char* what) {
        command.add_option(option, value, what)
            ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
            ->type_name("NUMBER");
    };
    number("--sequence", answers.sequence, "Tokens of a sequence");
    number("--global-batch", answers.global_batch, "Sequences of a step");
    number("--micro-batch", answers.micro_batch, "Sequences a rank works on at once");
    number("--vocab", answers.vocab, "Words, when the file leaves them to a tokenizer");
    number("--gpus", answers.gpus, "GPUs of the job, from which the replicas follow");
    command.add_option("--precision", answers.precision, "Of the products")->type_name("WORD");
}

}  // namespace

Action add_import_plan(CLI::App& import_command)
{
    auto options = std::make_shared<PlanOptions>();
    auto* command = import_command.add_subcommand(
        "plan", "Turn a training framework's file into the workload of an experiment");
    command->add_option("file", options->file, "The framework's file")
        ->required()
        ->type_name("FILE");
    command->add_option("-o,--output", options->output, "Write there instead of to stdout")
        ->type_name("FILE.yaml");
    command->add_option("--kind", options->kind, kinds())->type_name("KIND");
    command
        ->add_option("--hardware", options->hardware,
                     "The folder of hardware files; configs/hardware at or above here otherwise")
        ->type_name("FOLDER");
    add_answers(*command, *options);
    command->footer(
        "What is not taken over stands on stderr and at the top of the file.\n"
        "Example:\n"
        "  weftsim import plan ds_config.json -o plan.yaml --model config.json --sequence 4096 \\\n"
        "    --gpus 64 --framework megatron-core");
    return [options] { return import_plan(*options); };
}

}  // namespace sim::cli

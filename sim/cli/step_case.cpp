#include "cli/step_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "cli/step_model.hpp"
#include "cli/validate_rows.hpp"
#include "config/read_framework.hpp"
#include "core/diagnostics.hpp"

namespace sim::cli
{
namespace
{

bool contains(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::optional<spec::Precision> precision_in(const std::string& text)
{
    const auto words = lower(text);
    constexpr std::pair<const char*, spec::Precision> known[] = {
        {"fp4", spec::Precision::fp4},   {"fp8", spec::Precision::fp8},
        {"bf16", spec::Precision::bf16}, {"fp16", spec::Precision::fp16},
        {"tf32", spec::Precision::tf32}, {"fp32", spec::Precision::fp32}};
    for (const auto& [word, precision] : known) {
        if (contains(words, word)) {
            return precision;
        }
    }
    return std::nullopt;
}

/// The number after the last of these words, as in "ZeRO-1 group 8 (intra-node)".
std::optional<int> number_after(const std::string& text, const std::string& word)
{
    const auto at = text.find(word);
    if (at == std::string::npos) {
        return std::nullopt;
    }
    int number = 0;
    const auto* begin = text.data() + at + word.size();
    const auto [end, wrong] = std::from_chars(begin, text.data() + text.size(), number);
    return wrong == std::errc{} ? std::optional{number} : std::nullopt;
}

std::string missing(const StepCells& cells)
{
    std::string names;
    const auto need = [&](std::initializer_list<const char*> columns) {
        for (const auto* column : columns) {
            if (cells.text(column).empty()) {
                names += names.empty() ? column : fmt::format(", {}", column);
            }
        }
    };
    if (!has_model_file(cells)) {
        need({"layers", "hidden", "ffn", "heads", "vocab"});
    }
    need({"seq_len", "n_gpus", "tp", "pp", "micro_batch", "global_batch", "precision"});
    if (cells.text("task") == "lora" && cells.text("adapter_rank").empty()) {
        names += names.empty() ? "adapter_rank" : ", adapter_rank";
    }
    return names.empty() ? names : "not stated: " + names;
}

void add_sharding(const StepCells& cells, spec::PlanSpec& plan)
{
    const auto& words = cells.text("fsdp_or_zero");
    plan.zero = static_cast<int>(cells.count("zero", 0));
    if (contains(words, "SHARD_GRAD_OP")) {
        plan.zero = 2;
    } else if (contains(words, "FSDP")) {
        plan.zero = 3;
    } else if (const auto stage = number_after(words, "ZeRO-")) {
        plan.zero = *stage;
    }
    for (const auto* word : {"group ", "shard="}) {
        if (const auto group = number_after(words, word)) {
            plan.zero_group = *group;
        }
    }
}

/// Over every part of the pipeline as evenly as it goes. Where the layers do not divide, the ends
/// count as one each if that helps; else the last parts hold what is left, as in Megatron-Bridge's
/// layouts.
void spread_layers(int layers, spec::PlanSpec& plan)
{
    const int parts = plan.pipeline * plan.chunks;
    if (parts == 1 || layers % parts == 0) {
        return;
    }
    plan.ends_as_layers = (layers + 2) % parts == 0;
    if (!plan.ends_as_layers && parts <= layers) {
        const int each = (layers + parts - 1) / parts;
        for (int part = 0; part < parts; ++part) {
            const int held = std::clamp(layers - part * each, 0, each);
            plan.layers_per_stage.push_back(held);
        }
    }
}

/// The word "tp" stands for the row's tensor ranks.
void add_experts(const StepCells& cells, spec::PlanSpec& plan)
{
    plan.expert = static_cast<int>(cells.count("ep", 1));
    plan.expert_tensor =
        cells.text("etp") == "tp" ? plan.tensor : static_cast<int>(cells.count("etp", 1));
    if (const auto capacity = parse_number(cells.text("moe_capacity"))) {
        plan.expert_capacity = *capacity;
    }
}

/// A reason when the row's plan has something that is not modelled.
std::string add_plan(const StepCells& cells, spec::WorkloadSpec& workload)
{
    auto& plan = workload.plan;
    plan.tensor = static_cast<int>(cells.count("tp", 1));
    plan.pipeline = static_cast<int>(cells.count("pp", 1));
    plan.chunks = plan.pipeline > 1 ? static_cast<int>(cells.count("vp", 1)) : 1;
    const auto ranks = cells.count("n_gpus", 0);
    const auto copy = std::int64_t{plan.tensor} * plan.pipeline * cells.count("cp", 1);
    if (copy <= 0 || ranks % copy != 0) {
        return fmt::format("{} GPUs are no multiple of tp x pp x cp = {}", ranks, copy);
    }
    plan.context = static_cast<int>(cells.count("cp", 1));
    plan.data = static_cast<int>(ranks / copy);
    add_experts(cells, plan);
    plan.sequence_parallel = plan.tensor > 1 && cells.text("seq_parallel") == "yes";
    add_sharding(cells, plan);

    workload.sequence = cells.count("seq_len", 0);
    workload.micro_batch = cells.count("micro_batch", 0);
    workload.global_batch = cells.count("global_batch", 0);
    workload.adapter_rank = cells.text("task") == "lora" ? cells.count("adapter_rank", 0) : 0;
    const auto& recompute = cells.text("recompute");
    if (recompute.starts_with("full")) {
        workload.recompute = spec::Recompute::full;
    } else if (recompute.starts_with("selective")) {
        workload.recompute = spec::Recompute::selective;
    }
    return "";
}

std::string add_precision(const StepCells& cells, spec::WorkloadSpec& workload)
{
    const auto precision = precision_in(cells.text("precision"));
    if (!precision) {
        return "precision not understood: " + cells.text("precision");
    }
    workload.precision = *precision;
    const auto wide =
        *precision == spec::Precision::fp16 ? spec::Precision::fp16 : spec::Precision::bf16;
    workload.gradient_precision = precision_in(cells.text("gradients")).value_or(wide);
    return "";
}

std::string not_modelled(const StepCells& cells)
{
    const auto& task = cells.text("task");
    return task == "qlora" || task == "peft" ? "quantised or unstated adapters" : "";
}

std::string problems(const Diagnostics& diagnostics)
{
    std::string text;
    for (const auto& problem : diagnostics) {
        if (problem.severity == Diagnostic::Severity::error) {
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", problem.key, problem.message);
        }
    }
    return text;
}

}  // namespace

std::string StepCases::add_machine(const StepCells& cells, spec::ExperimentSpec& experiment)
{
    std::string file;
    std::vector<config::Override> settings;
    for (const auto* rule : cells.rules()) {
        file = file.empty() ? rule->cluster : file;
        for (const auto& setting : rule->settings) {
            const auto same = [&](const auto& known) { return known.key == setting.key; };
            if (std::none_of(settings.begin(), settings.end(), same)) {
                settings.push_back(setting);
            }
        }
    }
    if (file.empty()) {
        return "no machine is known for GPU " + cells.text("gpu");
    }
    if (const auto& per_node = cells.text("gpus_per_node"); !per_node.empty()) {
        settings.push_back({"gpus_per_node", per_node});
    }
    std::string key = file;
    for (const auto& setting : settings) {
        key += "\n" + setting.key + "=" + setting.text;
    }
    if (clusters_.find(key) == clusters_.end()) {
        clusters_.emplace(key, config::load_cluster(file, settings));
    }
    auto& cluster = experiment.cluster = clusters_.at(key);
    const auto gpus = cells.count("n_gpus", 0);
    const auto per_node = std::int64_t{cluster.node.gpus};
    cluster.nodes = static_cast<int>((gpus + per_node - 1) / per_node);
    return "";
}

std::string StepCases::add_framework(const StepCells& cells, spec::WorkloadSpec& workload)
{
    for (const auto* rule : cells.rules()) {
        if (rule->framework.empty()) {
            continue;
        }
        if (frameworks_.find(rule->framework) == frameworks_.end()) {
            frameworks_.emplace(rule->framework, config::load_framework(rule->framework));
        }
        workload.framework = frameworks_.at(rule->framework);
        return "";
    }
    return "no profile of framework " + cells.text("framework");
}

StepCase StepCases::build(const StepCells& cells)
{
    StepCase result;
    for (const auto* rule : cells.rules()) {
        if (!rule->reason.empty()) {
            result.reason = rule->reason;
            return result;
        }
    }
    result.reason = not_modelled(cells);
    if (result.reason.empty()) {
        result.reason = missing(cells);
    }
    auto& workload = result.experiment.workload;
    using Part = std::string (*)(const StepCells&, spec::WorkloadSpec&);
    for (const Part part : {Part{add_plan}, Part{add_precision}}) {
        result.reason = result.reason.empty() ? part(cells, workload) : result.reason;
    }
    if (result.reason.empty()) {
        result.reason = add_framework(cells, workload);
    }
    if (result.reason.empty()) {
        result.reason = add_machine(cells, result.experiment);
    }
    if (!result.reason.empty()) {
        return result;
    }
    workload.model = models_.build(cells);
    spread_layers(workload.model.layers, workload.plan);
    result.reason =
        problems(spec::validate(workload, static_cast<int>(cells.count("n_gpus", 0)), ""));
    return result;
}

}  // namespace sim::cli

#include "cli/step_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

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
    for (const auto* column : {"layers", "hidden", "ffn", "heads", "vocab", "seq_len", "n_gpus",
                               "tp", "pp", "micro_batch", "global_batch", "precision"}) {
        if (cells.text(column).empty()) {
            names += names.empty() ? column : fmt::format(", {}", column);
        }
    }
    if (cells.text("task") == "lora" && cells.text("adapter_rank").empty()) {
        names += names.empty() ? "adapter_rank" : ", adapter_rank";
    }
    return names.empty() ? names : "not stated: " + names;
}

spec::ModelSpec model_of(const StepCells& cells)
{
    spec::ModelSpec model;
    model.name = cells.text("model");
    model.hidden = cells.count("hidden", 0);
    model.layers = static_cast<int>(cells.count("layers", 0));
    model.heads = static_cast<int>(cells.count("heads", 0));
    model.kv_heads = static_cast<int>(cells.count("kv_heads", model.heads));
    const auto width = model.heads > 0 ? model.hidden / model.heads : 0;
    model.head_dim = static_cast<int>(cells.count("head_dim", width));
    model.ffn = cells.count("ffn", 0);
    const auto multiple = cells.count("vocab_multiple", 1);
    model.vocab = (cells.count("vocab", 0) + multiple - 1) / multiple * multiple;
    model.gated_mlp = cells.text("mlp") != "plain";
    model.tied_embeddings = cells.text("tied") == "yes";
    const auto& biases = cells.text("biases");
    model.qkv_bias = biases == "yes" || biases == "attention";
    model.projection_bias = model.qkv_bias;
    model.mlp_bias = biases == "yes";
    return model;
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
    const auto layers = cells.count("layers", 0);
    const auto parts = std::int64_t{plan.pipeline} * plan.chunks;
    plan.ends_as_layers = parts > 1 && layers % parts != 0 && (layers + 2) % parts == 0;
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
    if (!cells.text("moe_experts").empty()) {
        return "mixture of experts";
    }
    const auto& task = cells.text("task");
    if (task == "qlora" || task == "peft") {
        return "quantised or unstated adapters";
    }
    return "";
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

StepCells::StepCells(const CsvTable& table, std::size_t row,
                     const std::vector<config::StepRule>& rules)
    : table_{table}, row_{row}
{
    for (const auto& rule : rules) {
        if (!fits(rule)) {
            continue;
        }
        rules_.push_back(&rule);
        for (const auto& [column, text] : rule.correct) {
            if (added_.find(column) == added_.end()) {
                assume(column, text);
            }
        }
        for (const auto& [column, text] : rule.fill) {
            if (this->text(column).empty()) {
                assume(column, text);
            }
        }
    }
}

bool StepCells::fits(const config::StepRule& rule) const
{
    return std::all_of(rule.where.begin(), rule.where.end(), [this](const config::Cell& cell) {
        return matches(cell.second, text(cell.first));
    });
}

void StepCells::assume(const std::string& column, const std::string& text)
{
    added_[column] = text;
    assumed_ += fmt::format("{}{}={}", assumed_.empty() ? "" : "; ", column, text);
}

const std::string& StepCells::text(const std::string& column) const
{
    const auto found = added_.find(column);
    return found == added_.end() ? table_.at(row_, column) : found->second;
}

std::int64_t StepCells::count(const std::string& column, std::int64_t otherwise) const
{
    const auto& cell = text(column);
    if (cell.empty()) {
        return otherwise;
    }
    std::int64_t number = 0;
    const auto [end, wrong] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (wrong != std::errc{} || end != cell.data() + cell.size()) {
        sim::refuse(column, fmt::format("\"{}\" is not a whole number", cell), "");
    }
    return number;
}

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
    workload.model = model_of(cells);
    result.reason =
        problems(spec::validate(workload, static_cast<int>(cells.count("n_gpus", 0)), ""));
    return result;
}

}  // namespace sim::cli

#include "config/read_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "config/model_json.hpp"
#include "config/read_framework.hpp"
#include "config/read_offload.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

/// The path as it is opened; shown as people would write it.
std::string model_path(MapReader& reader, const Node& node)
{
    const auto path = path_from(node.mark, node.text);
    auto shown = node;
    shown.text = tidy_path(path);
    reader.report().record(reader.path("model"), shown);
    return path;
}

/// A model described in place.
ModelReading described_model(MapReader& reader, const Node& node)
{
    const auto key = reader.path("model");
    for (const auto& entry : node.entries) {
        reader.report().record(key + "." + entry.key, entry.value);
    }
    return read_model(node, "model", reader.outline_of("model"));
}

spec::ModelSpec read_model_reference(MapReader& reader, Documents& documents)
{
    const std::string example = "../workloads/llama3-70b/config.json";
    const auto* node = reader.need("model", example, text_shape(example));
    if (node == nullptr) {
        return {};
    }
    const auto key = reader.path("model");
    if (node->kind != Node::Kind::scalar && node->kind != Node::Kind::mapping) {
        reader.report().error(
            node->mark, key,
            "must be the path of a config.json or a mapping of its keys, not " + kind_words(*node),
            "write model: " + example);
        return {};
    }
    try {
        auto model = node->kind == Node::Kind::mapping
                         ? described_model(reader, *node)
                         : read_model(documents.read(model_path(reader, *node), node->mark, key));
        for (const auto& [name, place] : model.places) {
            reader.report().stands_at(key + "." + name, place);
        }
        return model.spec;
    } catch (const InputError& error) {
        reader.report().add(error.diagnostics());
        return {};
    }
}

/// Ranks that tensor and pipeline leave over.
int remaining_data(MapReader& reader, const spec::PlanSpec& plan, std::int64_t ranks)
{
    const auto each = std::int64_t{plan.tensor} * plan.context * plan.pipeline;
    if (plan.tensor <= 0 || plan.pipeline <= 0 || plan.context <= 0 || ranks <= 0) {
        return 1;  // already a mistake of another key
    }
    const auto context = plan.context > 1 ? fmt::format("context {} x ", plan.context) : "";
    if (ranks % each != 0 || ranks / each > std::numeric_limits<int>::max()) {
        reader.report().error(
            reader.report().place_of(reader.path("data")), reader.path("data"),
            fmt::format("auto fails: {} ranks are not a multiple of tensor {} x {}pipeline {} = {}",
                        ranks, plan.tensor, context, plan.pipeline, each),
            fmt::format("choose tensor{} and pipeline whose product divides {}",
                        plan.context > 1 ? ", context" : "", ranks));
        return 1;
    }
    return static_cast<int>(ranks / each);
}

void read_data(MapReader& reader, spec::PlanSpec& plan, std::int64_t ranks)
{
    const auto* node =
        reader.ask("data", either_shape({word_shape({"auto"}), count("auto").shape()}));
    const bool automatic =
        node == nullptr || (node->kind == Node::Kind::scalar && node->text == "auto");
    if (!automatic) {
        plan.data = reader.optional("data", count("auto")).value_or(1);
        return;
    }
    if (node == nullptr) {
        reader.record_default("data", "auto", "");
    } else {
        reader.report().record(reader.path("data"), *node);
    }
    plan.data = remaining_data(reader, plan, ranks);
    const Mark at = node == nullptr ? Mark{} : node->mark;
    reader.report().record(reader.path("data"), scalar_node(at, std::to_string(plan.data)),
                           fmt::format("auto: {} ranks / (tensor {} x pipeline {})", ranks,
                                       plan.tensor, plan.pipeline));
}

/// Which of the model's ends takes a layer's place.
void read_ends(MapReader& reader, spec::PlanSpec& plan)
{
    enum class Ends { none, both, embedding, head };
    const Vocabulary<Ends> words{{"false", Ends::none},
                                 {"true", Ends::both},
                                 {"embedding", Ends::embedding},
                                 {"head", Ends::head}};
    const auto ends = reader.defaulted("ends_as_layers", choice(words), "false");
    plan.ends_as_layers = ends == Ends::both;
    plan.embedding_as_layer = ends == Ends::embedding;
    plan.head_as_layer = ends == Ends::head;
}

spec::PlanSpec read_plan(MapReader reader, std::int64_t ranks)
{
    spec::PlanSpec plan;
    plan.tensor = reader.defaulted("tensor", count("8"), "1");
    plan.pipeline = reader.defaulted("pipeline", count("4"), "1");
    plan.context = reader.defaulted("context", count("2"), "1");
    plan.context_exchange =
        reader.defaulted("context_exchange", choice(context_exchange_words()), "ring");
    read_data(reader, plan, ranks);
    plan.zero = reader.defaulted("zero", count("1"), "0");
    plan.zero_group = reader.optional("zero_group", count("8"));
    plan.backward_group = reader.optional("backward_group", count("8"));
    plan.prefetch = reader.defaulted("prefetch", count("1"), "1");
    plan.sequence_parallel = reader.defaulted("sequence_parallel", truth("true"), "false");
    plan.chunks = reader.defaulted("virtual_pipeline", count("4"), "1");
    read_ends(reader, plan);
    plan.schedule = reader.defaulted("schedule", choice(schedule_words()), "1f1b");
    if (auto layers = reader.optional_list("layers_per_stage", count("20"))) {
        plan.layers_per_stage = std::move(*layers);
    }
    plan.expert = reader.defaulted("expert", count("8"), "1");
    plan.expert_tensor = reader.defaulted("expert_tensor", count("1"), "1");
    plan.expert_dispatch =
        reader.defaulted("expert_dispatch", choice(dispatch_words()), "all_to_all");
    plan.expert_imbalance = reader.defaulted("expert_imbalance", real_number("1.2"), "1");
    plan.expert_capacity = reader.optional("expert_capacity", real_number("1.25"));
    plan.overlap_shared_experts =
        reader.defaulted("overlap_shared_experts", truth("true"), "false");
    reader.finish();
    return plan;
}

/// What is kept is read and written once an update: the framework's traffic changes by twice that.
void set_optimizer(spec::WorkloadSpec& workload, spec::Optimizer optimizer)
{
    auto& framework = workload.framework;
    const double state = spec::moment_bytes(optimizer) + spec::master_bytes(workload.precision);
    framework.optimizer_bytes_per_parameter += 2 * (state - framework.optimizer_state_bytes);
    framework.optimizer_bytes_per_parameter =
        std::max(0.0, framework.optimizer_bytes_per_parameter);
    framework.optimizer_state_bytes = state;
}

/// What becomes of gradients before and after replicas sum them.
void read_gradients(MapReader& reader, spec::WorkloadSpec& workload)
{
    workload.compression =
        reader.defaulted("gradient_compression", choice(compression_words()), "none");
    workload.kept_gradients = reader.defaulted("kept_gradients", real_number("0.01"), "0.01");
    workload.loss_scaling = reader.defaulted("loss_scaling", truth("true"), "false");
    workload.gradient_clipping = reader.defaulted("gradient_clipping", truth("true"), "true");
}

/// What does not learn.
void read_frozen(MapReader& reader, spec::WorkloadSpec& workload)
{
    workload.adapter_mlp = reader.defaulted("adapter_mlp", truth("true"), "false");
    workload.weights = reader.optional("weights", choice(precision_words()));
    workload.adapter_rank = reader.defaulted("adapter_rank", whole_number("16"), "0");
    workload.frozen_layers = reader.defaulted("frozen_layers", count("8"), "0");
}

std::optional<spec::InputSpec> read_input(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::InputSpec input;
    input.per_sequence = reader.required("per_sequence", quantity<Bytes>("32 KiB"));
    input.from = reader.required("from", choice(data_tier_words()));
    input.through_dram = reader.defaulted("through_dram", truth("true"), "true");
    input.prefetch = reader.defaulted("prefetch", count("1"), "1");
    reader.finish();
    return input;
}

}  // namespace

spec::WorkloadSpec read_workload(MapReader reader, Documents& documents, std::int64_t ranks)
{
    spec::WorkloadSpec workload;
    workload.model = read_model_reference(reader, documents);
    workload.sequence = reader.required("sequence", whole_number("8192"));
    workload.global_batch = reader.required("global_batch", whole_number("128"));
    workload.micro_batch = reader.required("micro_batch", whole_number("1"));
    workload.prompt = reader.optional("prompt", whole_number("512"));
    workload.precision = reader.required("precision", choice(precision_words()));
    workload.gradient_precision = reader.required("gradient_precision", choice(precision_words()));
    workload.plan = read_plan(reader.optional_section("parallel"), ranks);
    workload.recompute = reader.defaulted("recompute", choice(recompute_words()), "none");
    workload.recompute_layers = reader.optional("recompute_layers", count("4"));
    workload.dropout = reader.defaulted("dropout", truth("false"), "false");
    read_frozen(reader, workload);
    read_gradients(reader, workload);
    workload.framework =
        read_framework(reader.section("framework", "{ extends: path/to/framework.yaml }"));
    if (const auto optimizer = reader.optional("optimizer", choice(optimizer_words()))) {
        set_optimizer(workload, *optimizer);
    }
    workload.input = read_input(reader.optional_section("input"));
    workload.offload = read_offload(reader.optional_section("offload"));
    read_activation_offload(reader, workload.offload);
    workload.checkpoint = read_checkpoint(reader.optional_section("checkpoint"));
    reader.finish();
    return workload;
}

}  // namespace sim::config

#include "spec/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "spec/checker.hpp"
#include "spec/generation.hpp"
#include "spec/pipeline_checks.hpp"
#include "spec/workload_options.hpp"

namespace sim::spec
{

namespace
{

// Far above any use, and low enough that no product below overflows.
constexpr std::int64_t kMostSequences = 1'000'000'000;
constexpr std::int64_t kMostParts = 1'000'000;

bool divides(std::int64_t divisor, std::int64_t number) { return number % divisor == 0; }

/// Whole key-value heads on each rank, or each on equally many ranks.
bool splits_kv_heads(std::int64_t tensor, std::int64_t kv_heads)
{
    return divides(tensor, kv_heads) || divides(kv_heads, tensor);
}

std::string possible_tensors(const ModelSpec& model)
{
    std::vector<int> tensors;
    for (int tensor = 1; tensor <= model.heads; ++tensor) {
        if (divides(tensor, model.heads) && splits_kv_heads(tensor, model.kv_heads) &&
            divides(tensor, model.ffn)) {
            tensors.push_back(tensor);
        }
    }
    return fmt::format("write one of {}", fmt::join(tensors, ", "));
}

void check_tensor(Checker& check, const ModelSpec& model, int tensor)
{
    const std::string name = "parallel.tensor";
    if (!divides(tensor, model.heads)) {
        check.error(name,
                    fmt::format("{} does not divide the {} attention heads", tensor, model.heads),
                    possible_tensors(model));
    } else if (!splits_kv_heads(tensor, model.kv_heads)) {
        check.error(
            name,
            fmt::format("{} neither divides the {} key-value heads nor is a multiple of "
                        "them (a rank holds whole heads, or shares one with its neighbours)",
                        tensor, model.kv_heads),
            possible_tensors(model));
    } else if (tensor > model.kv_heads) {
        check.warning(name,
                      fmt::format("{} is more than the {} key-value heads; each is held by {} "
                                  "ranks, as Megatron does it",
                                  tensor, model.kv_heads, tensor / model.kv_heads),
                      {});
    }
    if (!divides(tensor, model.ffn)) {
        check.error(name, fmt::format("{} does not divide the MLP width {}", tensor, model.ffn),
                    possible_tensors(model));
    }
    if (!divides(tensor, model.vocab)) {
        const auto padded = (model.vocab / tensor + 1) * tensor;
        check.warning(name,
                      fmt::format("{} does not divide the vocabulary of {}; {} rows are padded to "
                                  "{}, as Megatron does it",
                                  tensor, model.vocab, model.vocab, padded),
                      {});
    }
}

/// "tensor 8 x pipeline 4", context only where there is some.
std::string copy_words(const PlanSpec& plan)
{
    const auto context = plan.context > 1 ? fmt::format("context {} x ", plan.context) : "";
    return fmt::format("tensor {} x {}pipeline {}", plan.tensor, context, plan.pipeline);
}

void check_ranks(Checker& check, const PlanSpec& plan, int ranks)
{
    const auto copy = static_cast<std::int64_t>(plan.tensor) * plan.context * plan.pipeline;
    const auto product = copy * plan.data;
    if (product == ranks || ranks == kRanksUnknown) {
        return;
    }
    const auto hint = divides(copy, ranks)
                          ? fmt::format("write data: {}", ranks / copy)
                          : fmt::format("no data fits: {} is not a multiple of {} = {}", ranks,
                                        copy_words(plan), copy);
    check.error("parallel.data",
                fmt::format("{} x data {} = {} ranks, but the cluster has {}", copy_words(plan),
                            plan.data, product, ranks),
                hint);
}

void check_zero(Checker& check, const PlanSpec& plan)
{
    check.within("parallel.zero", plan.zero, 0, 3);
    if (plan.zero >= 2 && plan.pipeline > 1) {
        check.error("parallel.zero",
                    fmt::format("{} gathers parameters block by block, which {} pipeline stages "
                                "would repeat for every micro-batch",
                                plan.zero, plan.pipeline),
                    "write zero: 1, or pipeline: 1");
    }
    if (!plan.zero_group) {
        return;
    }
    const int group = *plan.zero_group;
    check.at_least("parallel.zero_group", group, 1);
    const auto whole = std::int64_t{plan.data} * plan.context;
    if (group >= 1 && whole >= 1 && !divides(group, whole)) {
        const auto* of = plan.context > 1 ? "data x context" : "data";
        check.error("parallel.zero_group",
                    fmt::format("{} does not divide {} {}", group, of, whole),
                    fmt::format("write {}", std::gcd(std::int64_t{group}, whole)));
    }
}

void check_batch(Checker& check, const WorkloadSpec& workload)
{
    const auto once = workload.micro_batch * workload.plan.data;
    if (divides(once, workload.global_batch)) {
        return;
    }
    const auto below = workload.global_batch / once * once;
    check.error("global_batch",
                fmt::format("{} is not a multiple of data {} x micro_batch {} = {}",
                            workload.global_batch, workload.plan.data, workload.micro_batch, once),
                below > 0 ? fmt::format("write {} or {}", below, below + once)
                          : fmt::format("write {}", once));
}

/// Context parallelism gives each rank two pieces of every sequence, an early one and a late one,
/// so that the mask leaves all of them the same work.
void check_sequence(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    const auto say = [&](std::int64_t parts, const std::string& why) {
        if (!divides(parts, workload.sequence)) {
            check.error("sequence",
                        fmt::format("{} is not a multiple of {}", workload.sequence, why),
                        fmt::format("write {}", (workload.sequence / parts + 1) * parts));
        }
    };
    if (plan.context > 1) {
        say(std::int64_t{2} * plan.context * (plan.sequence_parallel ? plan.tensor : 1),
            plan.sequence_parallel
                ? fmt::format("2 x context {} x tensor {}", plan.context, plan.tensor)
                : fmt::format("2 x context {}", plan.context));
    } else if (plan.sequence_parallel) {
        say(plan.tensor, fmt::format("tensor {}, as sequence_parallel needs", plan.tensor));
    }
}

/// The ranks of a stage are divided anew among the experts.
void check_expert_groups(Checker& check, const PlanSpec& plan, const ExpertsSpec& experts)
{
    const std::string name = "parallel.expert";
    const auto ranks = std::int64_t{1} * plan.tensor * plan.context * plan.data;
    const auto copy = std::int64_t{1} * plan.expert * plan.expert_tensor;
    if (!divides(plan.expert, experts.count)) {
        check.error(name,
                    fmt::format("{} does not divide the {} experts", plan.expert, experts.count),
                    fmt::format("write {}", std::gcd(plan.expert, experts.count)));
    } else if (!divides(copy, ranks)) {
        check.error(name,
                    fmt::format("expert {} x expert_tensor {} = {} does not divide the {} ranks of "
                                "a stage (tensor {} x context {} x data {})",
                                plan.expert, plan.expert_tensor, copy, ranks, plan.tensor,
                                plan.context, plan.data),
                    fmt::format("write a divisor of {}", ranks / plan.expert_tensor));
    }
    if (!divides(plan.expert_tensor, experts.ffn)) {
        check.error(
            "parallel.expert_tensor",
            fmt::format("{} does not divide the experts' width {}", plan.expert_tensor,
                        experts.ffn),
            fmt::format("write {}", std::gcd(std::int64_t{plan.expert_tensor}, experts.ffn)));
    }
    if (plan.tensor > 1 && !plan.sequence_parallel) {
        check.error("parallel.sequence_parallel",
                    "false, but each tensor rank sends its own tokens to the experts",
                    "write sequence_parallel: true, or tensor: 1");
    }
}

void check_experts(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    if (!(plan.expert_imbalance >= 1)) {
        check.error("parallel.expert_imbalance", "is below 1, the mean", "write 1");
    }
    if (plan.expert_capacity) {
        check.positive("parallel.expert_capacity", *plan.expert_capacity, "1.25");
    }
    if (workload.model.experts) {
        check_expert_groups(check, plan, *workload.model.experts);
    } else if (plan.expert > 1 || plan.expert_tensor > 1) {
        check.error("parallel.expert", "is given, but the model has no experts", "write 1");
    }
}

void check_linear_attention(Checker& check, const ModelSpec& model, int tensor)
{
    if (model.linear && !divides(tensor, model.linear->key_heads)) {
        check.error(
            "parallel.tensor",
            fmt::format("{} does not divide the {} key heads of linear attention", tensor,
                        model.linear->key_heads),
            fmt::format("write {}", std::gcd(std::int64_t{tensor}, model.linear->key_heads)));
    }
}

/// What needs only its own number to be right. True when divisibility can be asked about.
bool check_numbers(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    const auto count = [&check](std::string_view name, std::int64_t value, std::int64_t most) {
        check.within(name, value, 1, most);
        return value >= 1 && value <= most;
    };
    bool right = count("sequence", workload.sequence, kMostSequences);
    right &= count("global_batch", workload.global_batch, kMostSequences);
    right &= count("micro_batch", workload.micro_batch, kMostSequences);
    right &= count("parallel.tensor", plan.tensor, kMostParts);
    right &= count("parallel.pipeline", plan.pipeline, kMostParts);
    right &= count("parallel.data", plan.data, kMostParts);
    right &= count("parallel.expert", plan.expert, kMostParts);
    right &= count("parallel.expert_tensor", plan.expert_tensor, kMostParts);
    right &= count("parallel.context", plan.context, kMostParts);
    right &= count("parallel.virtual_pipeline", plan.chunks, kMostParts);
    return right;
}

}  // namespace

Diagnostics validate(const WorkloadSpec& workload, int ranks, const std::string& key)
{
    const auto& plan = workload.plan;
    Diagnostics diagnostics = validate(workload.model, key.empty() ? "model" : key + ".model");
    const bool model_is_right = !has_errors(diagnostics);
    Checker check{diagnostics, key};
    const bool numbers_are_right = check_numbers(check, workload);
    check_zero(check, plan);
    check_framework(check, workload.framework);
    check_option_numbers(check, workload);
    if (workload.input) {
        const auto input = validate(*workload.input, key + ".input");
        diagnostics.insert(diagnostics.end(), input.begin(), input.end());
    }
    if (!numbers_are_right) {
        return diagnostics;
    }
    check_ranks(check, plan, ranks);
    check_batch(check, workload);
    check_sequence(check, workload);
    check_generation(check, workload);
    if (model_is_right) {
        check_experts(check, workload);
        check_options(check, workload);
        check_linear_attention(check, workload.model, plan.tensor);
        check_tensor(check, workload.model, plan.tensor);
        check_pipeline(check, plan, workload.model.layers);
        check_chunks(check, workload);
    }
    return diagnostics;
}

}  // namespace sim::spec

#include "spec/workload_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <vector>

namespace sim::spec
{

namespace
{

bool divides(std::int64_t divisor, std::int64_t number) { return number % divisor == 0; }

void check_adapters(Checker& check, const WorkloadSpec& workload)
{
    if (workload.adapter_rank < 0) {
        check.error("adapter_rank",
                    fmt::format("is {}, but must not be below 0", workload.adapter_rank), {});
    }
    if (workload.adapter_rank == 0 && (workload.weights || workload.adapter_mlp)) {
        check.error(workload.weights ? "weights" : "adapter_mlp",
                    "is of frozen weights, but no adapter is given",
                    "write adapter_rank: 16, or drop it");
    }
}

void check_recomputation(Checker& check, const WorkloadSpec& workload)
{
    if (workload.recompute_layers) {
        check.at_least("recompute_layers", *workload.recompute_layers, 0);
        if (workload.recompute != Recompute::full) {
            check.error("recompute_layers", "counts layers that are recomputed in full",
                        "write recompute: full");
        }
    }
}

void check_zero_bubble(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    if (plan.schedule != Schedule::zero_bubble) {
        return;
    }
    if (plan.pipeline == 1) {
        check.error("parallel.schedule", "zero_bubble fills the bubble of a pipeline of 1",
                    "write schedule: 1f1b, or pipeline: 2");
    }
    if (workload.recompute == Recompute::full) {
        check.error("recompute",
                    "full, but zero_bubble keeps what the weights' gradients need until they run",
                    "write recompute: selective, or parallel.schedule: 1f1b");
    }
}

/// Ranks exchange heads for tokens, so each needs whole heads.
void check_context_heads(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    if (plan.context == 1 || plan.context_exchange != ContextExchange::all_to_all) {
        return;
    }
    const auto& model = workload.model;
    if (model.latent || model.linear) {
        check.error("parallel.context_exchange", "all_to_all is of heads of one kind",
                    "write context_exchange: ring");
        return;
    }
    const int heads = std::gcd(model.heads, model.kv_heads);
    const auto parts = std::int64_t{plan.tensor} * plan.context;
    if (!divides(parts, heads)) {
        check.error("parallel.context_exchange",
                    fmt::format("all_to_all gives a rank whole heads, but tensor {} x context {} = "
                                "{} does not divide {} heads and {} key-value heads",
                                plan.tensor, plan.context, parts, model.heads, model.kv_heads),
                    fmt::format("write context_exchange: ring, or tensor x context a divisor of {}",
                                heads));
    }
}

void check_context_attention(Checker& check, const WorkloadSpec& workload)
{
    if (workload.plan.context > 1 && workload.framework.attention == AttentionLibrary::unfused) {
        check.error("framework.attention",
                    "unfused works on whole sequences, but context shares them",
                    "write attention: auto, or parallel.context: 1");
    }
}

void check_backward_group(Checker& check, const PlanSpec& plan)
{
    if (!plan.backward_group) {
        return;
    }
    const int group = *plan.backward_group;
    const auto whole = std::int64_t{plan.data} * plan.context;
    if (plan.zero != 3 || plan.zero_group) {
        check.error("parallel.backward_group",
                    "is a second share of parameters that all replicas share",
                    "write zero: 3 without zero_group, or drop it");
    } else if (group >= 1 && !divides(group, whole)) {
        check.error("parallel.backward_group",
                    fmt::format("{} does not divide the {} replicas", group, whole),
                    fmt::format("write {}", std::gcd(std::int64_t{group}, whole)));
    }
}

void check_frozen_layers(Checker& check, const WorkloadSpec& workload)
{
    const int layers = workload.model.layers;
    if (workload.frozen_layers == 0) {
        return;
    }
    if (workload.frozen_layers >= layers) {
        check.error(
            "frozen_layers",
            fmt::format("{} leaves none of the {} layers to learn", workload.frozen_layers, layers),
            fmt::format("write at most {}", layers - 1));
    }
    if (workload.adapter_rank > 0) {
        check.error("frozen_layers", "is given, but with adapters all layers are frozen",
                    "write adapter_rank: 0, or drop it");
    }
}

void check_shared_experts(Checker& check, const WorkloadSpec& workload)
{
    const auto& experts = workload.model.experts;
    if (workload.plan.overlap_shared_experts && (!experts || experts->shared_ffn == 0)) {
        check.error("parallel.overlap_shared_experts",
                    "is given, but the model has no experts for every token", "write false");
    }
}

void check_compression(Checker& check, const WorkloadSpec& workload)
{
    if (workload.compression != GradientCompression::none && workload.plan.zero >= 2) {
        check.error("gradient_compression", "is of gradients that replicas sum once a step",
                    "write parallel.zero: 1 or 0");
    }
}

}  // namespace

void check_option_numbers(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    check_adapters(check, workload);
    check.within("parallel.prefetch", plan.prefetch, 0, 1000);
    if (plan.backward_group) {
        check.at_least("parallel.backward_group", *plan.backward_group, 1);
    }
    check.at_least("frozen_layers", workload.frozen_layers, 0);
    check.share("kept_gradients", workload.kept_gradients);
}

void check_options(Checker& check, const WorkloadSpec& workload)
{
    check_recomputation(check, workload);
    check_zero_bubble(check, workload);
    check_context_heads(check, workload);
    check_context_attention(check, workload);
    check_backward_group(check, workload.plan);
    check_frozen_layers(check, workload);
    check_shared_experts(check, workload);
    check_compression(check, workload);
}

}  // namespace sim::spec

#include "workload/shard.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "workload/parameters.hpp"

namespace sim::workload
{

namespace
{

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// GEMMs may run in fp8 or fp4; what stays in memory between them is 16 bits wide.
std::int64_t stored_bytes(spec::Precision precision)
{
    return std::max<std::int64_t>(2, static_cast<std::int64_t>(spec::element_bytes(precision)));
}

}  // namespace

Shard shard(const spec::WorkloadSpec& workload)
{
    const auto& model = workload.model;
    const auto& plan = workload.plan;
    SIM_EXPECT(plan.tensor > 0 && model.heads % plan.tensor == 0);
    Shard shard;
    shard.tokens = workload.sequence * workload.micro_batch / plan.context;
    shard.context = plan.context;
    shard.adapter_rank = workload.adapter_rank;
    shard.sequence_parallel = plan.sequence_parallel && plan.tensor > 1;
    shard.local_tokens =
        shard.sequence_parallel ? divide_up(shard.tokens, plan.tensor) : shard.tokens;
    shard.sequence = workload.sequence;
    shard.sequences = workload.micro_batch;
    shard.hidden = model.hidden;
    shard.heads = model.heads / plan.tensor;
    shard.kv_heads = divide_up(model.kv_heads, plan.tensor);
    shard.head_dim = model.head_dim;
    shard.ffn = divide_up(model.ffn, plan.tensor);
    shard.gated_mlp = model.gated_mlp;
    shard.qkv_bias = model.qkv_bias;
    shard.projection_bias = model.projection_bias;
    shard.mlp_bias = model.mlp_bias;
    shard.norm = norm_parameters(model);
    shard.norms = model.layer_norms;
    shard.positions = model.positions;
    shard.head_bias = model.head_bias;
    shard.qk_norm = model.qk_norm;
    shard.vocab = divide_up(model.vocab, plan.tensor);
    shard.tensor = plan.tensor;
    shard.attention = workload.framework.attention;
    shard.fused_accumulation = workload.framework.fused_accumulation;
    shard.tensor_overlap = workload.framework.tensor_overlap;
    shard.precision = workload.precision;
    shard.element = stored_bytes(workload.precision);
    shard.gradient = static_cast<std::int64_t>(spec::element_bytes(workload.gradient_precision));
    return shard;
}

std::int64_t layer_parameters(const Shard& shard)
{
    const auto h = shard.hidden;
    const auto attention = h * (shard.qkv() + shard.query());
    const auto mlp = h * (shard.up() + shard.ffn);
    const auto norms = shard.norms * shard.norm + (shard.qk_norm ? 2 * shard.head_dim : 0);
    const auto attention_bias =
        (shard.qkv_bias ? shard.qkv() : 0) + (shard.projection_bias ? h : 0);
    const auto mlp_bias = shard.mlp_bias ? shard.up() + h : 0;
    return attention + mlp + norms + attention_bias + mlp_bias;
}

std::vector<Stage> stages(const spec::WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    SIM_EXPECT(plan.layers_per_stage.empty() ||
               plan.layers_per_stage.size() == static_cast<std::size_t>(plan.pipeline));
    std::vector<Stage> result;
    int total = 0;
    for (int index = 0; index < plan.pipeline; ++index) {
        const auto position = static_cast<std::size_t>(index);
        int layers = workload.model.layers / plan.pipeline;
        if (!plan.layers_per_stage.empty()) {
            layers = plan.layers_per_stage[position];
        } else if (plan.ends_as_layers) {
            const int ends = (index == 0 ? 1 : 0) + (index + 1 == plan.pipeline ? 1 : 0);
            layers = (workload.model.layers + 2) / plan.pipeline - ends;
        }
        const bool tied = workload.model.tied_embeddings;
        result.push_back(Stage{index, plan.pipeline, layers, tied, workload.adapter_rank > 0});
        total += layers;
    }
    SIM_EXPECT(total == workload.model.layers);
    return result;
}

std::int64_t adapter_parameters(const Shard& shard)
{
    return shard.adapter_rank * (shard.hidden + shard.qkv() + shard.query() + shard.hidden);
}

std::int64_t trained_parameters(const Stage& stage, const Shard& shard)
{
    return stage.frozen ? stage.layers * adapter_parameters(shard) : stage_parameters(stage, shard);
}

std::int64_t stage_parameters(const Stage& stage, const Shard& shard)
{
    const auto embedding = shard.vocab * shard.hidden;
    auto parameters = stage.layers * layer_parameters(shard);
    parameters += stage.first() ? embedding + shard.positions * shard.hidden : 0;
    parameters += stage.owns_head() ? embedding : 0;
    parameters += stage.last() ? shard.norm + (shard.head_bias ? shard.vocab : 0) : 0;
    return parameters;
}

int optimizer_group(const spec::PlanSpec& plan)
{
    return plan.zero > 0 ? plan.zero_group.value_or(spec::replicas(plan)) : 1;
}

std::int64_t owned_parameters(std::int64_t parameters, const spec::PlanSpec& plan)
{
    return divide_up(parameters, optimizer_group(plan));
}

}  // namespace sim::workload

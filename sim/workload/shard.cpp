#include "workload/shard.hpp"

#include <algorithm>
#include <cmath>

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

/// Of `per_token` different experts of `count`, on how many of `groups` equal groups they are in
/// the mean: a group misses all of them with the odds of drawing none of its own.
double groups_reached(const spec::ExpertsSpec& experts, int groups)
{
    const double others = experts.count - static_cast<double>(experts.count) / groups;
    double misses = 1;
    for (int drawn = 0; drawn < experts.per_token; ++drawn) {
        misses *= std::max(0.0, others - drawn) / (experts.count - drawn);
    }
    return groups * (1 - misses);
}

/// Every rank sends each of its tokens to `per_token` experts. With a capacity experts take that
/// share of the mean and are padded to it; without, the fullest rank sets the pace.
ExpertShard expert_shard(const spec::WorkloadSpec& workload, std::int64_t local_tokens)
{
    const auto& plan = workload.plan;
    const auto& experts = *workload.model.experts;
    const double load = plan.expert_capacity.value_or(plan.expert_imbalance);
    const auto choices = static_cast<double>(local_tokens * experts.per_token);
    ExpertShard shard;
    shard.all = experts.count;
    shard.held = divide_up(experts.count, plan.expert);
    shard.sent = std::llround(choices * load);
    const auto sharing = workload.framework.copies_per.value_or(0);
    const int groups = sharing > 0 ? std::max(1, plan.expert / sharing) : 0;
    shard.copies = groups == 0 ? shard.sent
                               : std::llround(static_cast<double>(local_tokens) * load *
                                              groups_reached(experts, groups));
    shard.hidden = workload.framework.hidden_exchanges;
    shard.tokens = shard.sent * plan.expert_tensor;
    shard.ffn = divide_up(experts.ffn, plan.expert_tensor);
    shard.up = workload.model.gated_mlp ? 2 * shard.ffn : shard.ffn;
    shard.shared_ffn = divide_up(experts.shared_ffn, plan.tensor);
    shard.shared_up = workload.model.gated_mlp ? 2 * shard.shared_ffn : shard.shared_ffn;
    shard.ranks = plan.expert;
    shard.tensor = plan.expert_tensor;
    shard.gathers = plan.expert_dispatch == spec::Dispatch::all_gather;
    shard.shared_gate = experts.shared_gate;
    shard.router_bias = experts.router_bias;
    shard.bias = experts.bias;
    return shard;
}

/// Four bits come with a scale a block of 64, itself quantised: 0.127 bits a parameter (QLoRA,
/// arXiv:2305.14314).
double weight_bytes(const spec::WorkloadSpec& workload)
{
    if (!workload.weights) {
        return static_cast<double>(stored_bytes(workload.precision));
    }
    const double scales = *workload.weights == spec::Precision::fp4 ? 0.127 / 8 : 0;
    return spec::element_bytes(*workload.weights) + scales;
}

LinearShard linear_shard(const spec::LinearSpec& linear, int tensor)
{
    return {divide_up(linear.key_heads, tensor), divide_up(linear.value_heads, tensor),
            linear.key_dim, linear.value_dim, linear.kernel};
}

/// What is there or not, and how wide.
void copy_habits(Shard& shard, const spec::ModelSpec& model)
{
    shard.gated_mlp = model.gated_mlp;
    shard.qkv_bias = model.qkv_bias;
    shard.projection_bias = model.projection_bias;
    shard.mlp_bias = model.mlp_bias;
    shard.norm = norm_parameters(model);
    shard.norms = model.layer_norms;
    shard.positions = model.positions;
    shard.head_bias = model.head_bias;
    shard.qk_norm = model.qk_norm;
    shard.attention_gate = model.attention_gate;
    shard.attention_sinks = model.attention_sinks;
    shard.parallel = model.parallel;
    shard.window = model.window;
    shard.window_in_chunks = model.window_in_chunks;
}

void copy_training(Shard& shard, const spec::WorkloadSpec& workload)
{
    shard.attention = workload.framework.attention;
    shard.tensor_overlap = workload.framework.tensor_overlap;
    shard.fused_accumulation = workload.framework.fused_accumulation;
    shard.precision = workload.precision;
    shard.element = stored_bytes(workload.precision);
    shard.gradient = static_cast<std::int64_t>(spec::element_bytes(workload.gradient_precision));
    shard.dropout = workload.dropout;
    shard.adapter_rank = workload.adapter_rank;
    shard.weight = weight_bytes(workload);
    shard.widens_weights = workload.weights && spec::element_bytes(*workload.weights) <
                                                   spec::element_bytes(workload.precision);
    shard.adapter_mlp = workload.adapter_mlp;
}

}  // namespace

std::int64_t Shard::attention_width() const
{
    return has_latent ? (latent.plain_dim + latent.rotary_dim + latent.value_dim) / 2 : head_dim;
}

std::int64_t Shard::attention_touches() const
{
    return has_latent ? 2 * latent_query() + 2 * latent_value() : query() + qkv();
}

/// Sum over a sequence of what each token sees, times 2 / s: with a window of w s w - w^2 / 2, in
/// chunks of c s c / 2.
std::int64_t Shard::keys_seen(spec::Mixer mixer) const
{
    if (mixer != spec::Mixer::window || window == 0 || window >= sequence) {
        return sequence;
    }
    return window_in_chunks ? window : 2 * window - window * window / sequence;
}

Shard shard(const spec::WorkloadSpec& workload)
{
    const auto& model = workload.model;
    const auto& plan = workload.plan;
    SIM_EXPECT(plan.tensor > 0 && model.heads % plan.tensor == 0);
    Shard shard;
    shard.tokens = workload.sequence * workload.micro_batch / plan.context;
    shard.context = plan.context;
    shard.context_exchange = plan.context_exchange;
    shard.overlap_shared_experts = plan.overlap_shared_experts;
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
    shard.vocab = divide_up(model.vocab, plan.tensor);
    shard.tensor = plan.tensor;
    copy_habits(shard, model);
    copy_training(shard, workload);
    shard.has_latent = model.latent.has_value();
    shard.latent = model.latent.value_or(spec::LatentSpec{});
    if (model.linear) {
        shard.linear = linear_shard(*model.linear, plan.tensor);
    }
    if (model.experts) {
        shard.experts = expert_shard(workload, shard.local_tokens);
    }
    return shard;
}

}  // namespace sim::workload

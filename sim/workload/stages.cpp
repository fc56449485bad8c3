#include <algorithm>
#include <numeric>

#include "core/contract.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

namespace
{

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t grouped_parameters(const Shard& shard)
{
    const auto matrices = shard.hidden * (shard.attention_inputs() + shard.query());
    return matrices + (shard.qkv_bias ? shard.qkv() : 0) +
           (shard.projection_bias ? shard.hidden : 0) + (shard.qk_norm ? 2 * shard.head_dim : 0) +
           (shard.attention_sinks ? shard.heads : 0);
}

/// The narrow projections and their norms are whole on every rank.
std::int64_t latent_parameters(const Shard& shard)
{
    const auto& latent = shard.latent;
    const auto down = latent.query_rank + latent.key_value_rank + latent.rotary_dim;
    const auto query_input = latent.query_rank > 0 ? latent.query_rank : shard.hidden;
    return shard.hidden * down + query_input * shard.latent_query() +
           latent.key_value_rank * shard.latent_key_value() + shard.latent_value() * shard.hidden +
           latent.query_rank + latent.key_value_rank;
}

std::int64_t linear_parameters(const Shard& shard)
{
    const auto& linear = shard.linear;
    return shard.hidden * (linear.inputs() + linear.values()) + linear.kernel * linear.convolved() +
           2 * linear.value_heads + linear.value_dim;
}

std::int64_t mixer_parameters(const Shard& shard, spec::Mixer mixer)
{
    if (mixer == spec::Mixer::linear) {
        return linear_parameters(shard);
    }
    return shard.has_latent ? latent_parameters(shard) : grouped_parameters(shard);
}

/// The router and the experts for every token.
std::int64_t beside_experts(const Shard& shard)
{
    const auto& experts = shard.experts;
    auto parameters = shard.hidden * experts.all + (experts.router_bias ? experts.all : 0);
    if (experts.shared_ffn > 0) {
        parameters += shard.hidden * (experts.shared_up + experts.shared_ffn);
        parameters += experts.bias ? experts.shared_up + shard.hidden : 0;
        parameters += experts.shared_gate ? shard.hidden : 0;
    }
    return parameters;
}

std::int64_t dense_parameters(const Shard& shard)
{
    return shard.hidden * (shard.up() + shard.ffn) +
           (shard.mlp_bias ? shard.up() + shard.hidden : 0);
}

/// A thin matrix on each side of every adapted one.
std::int64_t adapter_parameters(const Shard& shard, spec::LayerKind kind)
{
    const auto pair = [&](std::int64_t in, std::int64_t out) {
        return shard.adapter_rank * (in + out);
    };
    std::int64_t parameters = 0;
    if (kind.mixer != spec::Mixer::linear && !shard.has_latent) {
        parameters += pair(shard.hidden, shard.attention_inputs());
        parameters += pair(shard.query(), shard.hidden);
    }
    if (shard.adapter_mlp && !kind.experts) {
        parameters += pair(shard.hidden, shard.up()) + pair(shard.ffn, shard.hidden);
    }
    return parameters;
}

/// Layers of each stage; where the ends count as layers the first and last stage have one less.
std::vector<int> layers_of_stages(const spec::WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    const auto stages = static_cast<std::size_t>(plan.pipeline);
    if (spec::lists_chunks(plan)) {
        std::vector<int> sums(stages, 0);
        for (std::size_t chunk = 0; chunk < plan.layers_per_stage.size(); ++chunk) {
            sums[chunk % stages] += plan.layers_per_stage[chunk];
        }
        return sums;
    }
    if (!plan.layers_per_stage.empty()) {
        return plan.layers_per_stage;
    }
    const int ends = spec::embedding_places(plan) + spec::head_places(plan);
    std::vector<int> layers(stages, (workload.model.layers + ends) / plan.pipeline);
    layers.front() -= spec::embedding_places(plan);
    layers.back() -= spec::head_places(plan);
    return layers;
}

/// Layers of a chunk of a stage of so many layers.
int layers_of_chunk(const spec::PlanSpec& plan, int layers, int stage, int chunk)
{
    if (spec::lists_chunks(plan)) {
        return plan.layers_per_stage[static_cast<std::size_t>(chunk * plan.pipeline + stage)];
    }
    const bool first = stage == 0;
    const bool last = stage + 1 == plan.pipeline;
    const int embedding = first ? spec::embedding_places(plan) : 0;
    const int head = last ? spec::head_places(plan) : 0;
    const int each = (layers + embedding + head) / plan.chunks;
    const bool has_embedding = embedding > 0 && chunk == 0;
    const bool has_head = head > 0 && chunk + 1 == plan.chunks;
    return each - (has_embedding ? 1 : 0) - (has_head ? 1 : 0);
}

/// The first chunks of all stages hold the first layers, in the order of the stages.
void fill_chunks(std::vector<Stage>& stages, const spec::WorkloadSpec& workload)
{
    int next = 0;
    for (int chunk = 0; chunk < workload.plan.chunks; ++chunk) {
        for (auto& stage : stages) {
            auto& kinds = stage.chunks.emplace_back();
            stage.first_layer.push_back(next);
            const int held = layers_of_chunk(workload.plan, stage.layers, stage.index, chunk);
            for (int layer = 0; layer < held; ++layer) {
                kinds.push_back(spec::layer_kind(workload.model, next++));
            }
        }
    }
    SIM_EXPECT(next == workload.model.layers);
}

}  // namespace

std::int64_t layer_parameters(const Shard& shard, spec::LayerKind kind)
{
    const auto rest = kind.experts ? beside_experts(shard) : dense_parameters(shard);
    return mixer_parameters(shard, kind.mixer) + rest + shard.norms * shard.norm;
}

std::int64_t expert_parameters(const Shard& shard, spec::LayerKind kind)
{
    if (!kind.experts) {
        return 0;
    }
    const auto& experts = shard.experts;
    return experts.held * (shard.hidden * (experts.up + experts.ffn) +
                           (experts.bias ? experts.up + shard.hidden : 0));
}

std::int64_t trained_parameters(const Shard& shard, spec::LayerKind kind)
{
    return shard.frozen() ? adapter_parameters(shard, kind) : layer_parameters(shard, kind);
}

std::vector<Stage> stages(const spec::WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    const auto layers = layers_of_stages(workload);
    SIM_EXPECT(layers.size() == static_cast<std::size_t>(plan.pipeline));
    std::vector<Stage> result;
    for (int index = 0; index < plan.pipeline; ++index) {
        Stage stage;
        stage.index = index;
        stage.stages = plan.pipeline;
        stage.layers = layers[static_cast<std::size_t>(index)];
        stage.tied = workload.model.tied_embeddings;
        stage.frozen = workload.adapter_rank > 0;
        stage.frozen_layers = workload.frozen_layers;
        result.push_back(std::move(stage));
    }
    fill_chunks(result, workload);
    return result;
}

StageParameters parameters_of(const Stage& stage, const Shard& shard)
{
    StageParameters parameters;
    for (std::size_t chunk = 0; chunk < stage.chunks.size(); ++chunk) {
        const auto frozen = stage.frozen_in(chunk);
        for (std::size_t layer = 0; layer < stage.chunks[chunk].size(); ++layer) {
            const auto kind = stage.chunks[chunk][layer];
            const auto experts = expert_parameters(shard, kind);
            parameters.shared += layer_parameters(shard, kind);
            parameters.experts += experts;
            if (layer >= frozen) {
                parameters.trained_shared += trained_parameters(shard, kind);
                parameters.trained_experts += shard.frozen() ? 0 : experts;
            }
        }
    }
    const auto words = shard.vocab * shard.hidden;
    const auto embedding = stage.first() ? words + shard.positions * shard.hidden : 0;
    const auto head = stage.owns_head() ? words : 0;
    const auto end = stage.last() ? shard.norm + (shard.head_bias ? shard.vocab : 0) : 0;
    parameters.shared += embedding + head + end;
    parameters.trained_shared += stage.embedding_learns() ? embedding : 0;
    parameters.trained_shared += stage.head_learns() ? head : 0;
    parameters.trained_shared += stage.frozen ? 0 : end;
    return parameters;
}

std::size_t Stage::frozen_in(std::size_t chunk) const
{
    const auto held = static_cast<int>(chunks[chunk].size());
    return static_cast<std::size_t>(std::clamp(frozen_layers - first_layer[chunk], 0, held));
}

bool Stage::learns(std::size_t chunk) const
{
    const bool holds_end = last() && chunk + 1 == chunks.size();
    return frozen_layers == 0 || holds_end || frozen_in(chunk) < chunks[chunk].size();
}

bool Stage::passes_gradient(std::size_t chunk) const
{
    const bool holds_start = first() && chunk == 0;
    return !holds_start && (frozen_layers == 0 || first_layer[chunk] > frozen_layers);
}

std::int64_t stage_parameters(const Stage& stage, const Shard& shard)
{
    const auto parameters = parameters_of(stage, shard);
    return parameters.shared + parameters.experts;
}

std::int64_t trained_parameters(const Stage& stage, const Shard& shard)
{
    const auto parameters = parameters_of(stage, shard);
    return parameters.trained_shared + parameters.trained_experts;
}

std::int64_t updated_parameters(const Stage& stage, const Shard& shard, const spec::PlanSpec& plan)
{
    const auto parameters = parameters_of(stage, shard);
    return owned_parameters(parameters.trained_shared, plan) +
           divide_up(parameters.trained_experts, expert_group(plan));
}

double update_bytes_per_parameter(const spec::WorkloadSpec& workload)
{
    constexpr double of_norm = 4;
    const double all = workload.framework.optimizer_bytes_per_parameter;
    return workload.gradient_clipping ? all : std::max(0.0, all - of_norm);
}

std::size_t recomputed_layers(const spec::WorkloadSpec& workload, std::size_t layers)
{
    if (workload.recompute != spec::Recompute::full) {
        return 0;
    }
    const auto wanted = workload.recompute_layers;
    return wanted ? std::min(layers, static_cast<std::size_t>(*wanted)) : layers;
}

int expert_replicas(const spec::PlanSpec& plan)
{
    const int ranks = plan.tensor * spec::replicas(plan);
    return std::max(1, ranks / (plan.expert * plan.expert_tensor));
}

int expert_group(const spec::PlanSpec& plan)
{
    return plan.zero > 0 ? std::min(optimizer_group(plan), expert_replicas(plan)) : 1;
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

#include "workload/footprint.hpp"

#include <algorithm>
#include <cmath>

#include "workload/activation_offload.hpp"
#include "workload/activations.hpp"
#include "workload/generation.hpp"
#include "workload/gradient_codec.hpp"
#include "workload/pipeline_schedule.hpp"
#include "workload/residence.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

namespace
{

/// Ranks over which a plan spreads what each has of a kind.
struct Spread {
    double shared = 1;
    double experts = 1;
};

Spread spread_from(const spec::PlanSpec& plan, int stage)
{
    if (plan.zero < stage) {
        return {};
    }
    return {static_cast<double>(optimizer_group(plan)), static_cast<double>(expert_group(plan))};
}

Bytes bytes_of(double bytes) { return Bytes::of(std::llround(bytes)); }

Bytes weights(const spec::WorkloadSpec& workload, const StageParameters& parameters,
              const Shard& shard)
{
    const auto spread = spread_from(workload.plan, 3);
    const double each = shard.weight;
    const auto adapters = shard.frozen() ? static_cast<double>(parameters.trained_shared) : 0;
    const auto second = workload.plan.backward_group
                            ? static_cast<double>(parameters.shared) / *workload.plan.backward_group
                            : 0;
    return bytes_of((each * static_cast<double>(parameters.shared) +
                     static_cast<double>(shard.element) * adapters) /
                        spread.shared +
                    each * (second + static_cast<double>(parameters.experts) / spread.experts));
}

Bytes of_trained(const StageParameters& parameters, Spread spread, double each)
{
    return bytes_of(each * (static_cast<double>(parameters.trained_shared) / spread.shared +
                            static_cast<double>(parameters.trained_experts) / spread.experts));
}

/// Of a chunk in a micro-batch.
struct Kept {
    Bytes here{};       ///< in HBM until the backward pass
    Bytes sent{};       ///< elsewhere
    Bytes most_sent{};  ///< of one layer
};

/// Layers beyond those recomputed keep all, frozen ones nothing.
Kept kept_of_chunk(const spec::WorkloadSpec& workload, const Stage& stage, std::size_t chunk)
{
    const auto part = shard(workload);
    const auto& kinds = stage.chunks[chunk];
    const auto recomputed = recomputed_layers(workload, kinds.size());
    const auto sent = offloaded_of_layers(workload, stage, chunk);
    Kept kept;
    for (auto layer = stage.frozen_in(chunk); layer < kinds.size(); ++layer) {
        const bool whole = workload.recompute == spec::Recompute::full && layer >= recomputed;
        kept.sent += sent[layer];
        kept.most_sent = std::max(kept.most_sent, sent[layer]);
        kept.here += layer_activations(part, kinds[layer],
                                       whole ? spec::Recompute::none : workload.recompute) -
                     sent[layer];
    }
    return kept;
}

/// Of the fullest chunk, `held` times.
Bytes kept_of_visits(const spec::WorkloadSpec& workload, const Stage& stage, std::int64_t held)
{
    Bytes most{};
    const auto layers = layers_passing(workload.offload.value_or(spec::OffloadSpec{}), held);
    for (std::size_t chunk = 0; chunk < stage.chunks.size(); ++chunk) {
        const auto kept = kept_of_chunk(workload, stage, chunk);
        const auto passing = layers * kept.most_sent;
        most = std::max(most, held * kept.here + std::min(held * kept.sent, passing));
    }
    return most;
}

/// A widened copy of the largest matrix that a product is about to read.
Bytes widened_matrix(const Shard& shard, spec::LayerKind kind)
{
    if (!shard.widens_weights) {
        return {};
    }
    const auto& experts = shard.experts;
    const auto inside = kind.experts ? experts.held * experts.up : shard.up();
    return Bytes::of(shard.element * shard.hidden * std::max(inside, shard.attention_inputs()));
}

Bytes layer_peak(const spec::WorkloadSpec& workload, const Stage& stage, const Shard& shard)
{
    Bytes most{};
    for (const auto& kinds : stage.chunks) {
        for (const auto kind : kinds) {
            most = std::max(most, working_set(workload, shard, kind));
        }
    }
    return most;
}

Footprint stage_footprint(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto part = shard(workload);
    const auto parameters = parameters_of(stage, part);
    const auto held = in_flight(stage_schedule(workload, stage.index));
    const auto& plan = workload.plan;

    Footprint footprint;
    footprint.weights = weights(workload, parameters, part);
    footprint.gradients =
        of_trained(parameters, spread_from(plan, 2), static_cast<double>(part.gradient)) +
        of_trained(parameters, {}, GradientCodec{workload}.residual_bytes());
    footprint.optimizer =
        of_trained(parameters, spread_from(plan, 1), workload.framework.optimizer_state_bytes);
    footprint.activations = kept_of_visits(workload, stage, held);
    footprint.activations +=
        stage.first() && stage.frozen_layers == 0 ? held * embedding_activations(part) : Bytes{};
    const auto head = stage.last() ? head_temporary(part) : Bytes{};
    footprint.temporary = std::max(layer_peak(workload, stage, part), head);
    footprint.reserved = workload.framework.reserved;
    return footprint;
}

}  // namespace

Bytes gathered_weights(const spec::WorkloadSpec& workload, const Shard& shard, spec::LayerKind kind)
{
    if (workload.plan.zero < 3) {
        return {};
    }
    const auto parameters = layer_parameters(shard, kind) + expert_parameters(shard, kind);
    const auto layers = static_cast<double>(1 + workload.plan.prefetch);
    return bytes_of(shard.weight * layers * static_cast<double>(parameters));
}

Bytes working_set(const spec::WorkloadSpec& workload, const Shard& shard, spec::LayerKind kind)
{
    auto bytes = layer_temporary(shard, kind) + widened_matrix(shard, kind) +
                 gathered_weights(workload, shard, kind);
    if (workload.recompute == spec::Recompute::full) {
        bytes += layer_activations(shard, kind, spec::Recompute::none);
    }
    if (workload.plan.zero >= 2) {
        const auto experts = shard.frozen() ? 0 : expert_parameters(shard, kind);
        bytes += Bytes::of(shard.gradient * (trained_parameters(shard, kind) + experts));
    }
    return bytes;
}

std::vector<Footprint> footprint(const spec::WorkloadSpec& workload)
{
    std::vector<Footprint> result;
    for (const auto& stage : stages(workload)) {
        const auto whole = workload.prompt ? generation_footprint(workload, stage)
                                           : stage_footprint(workload, stage);
        result.push_back(workload.offload ? left_of(whole, workload, stage) : whole);
    }
    return result;
}

}  // namespace sim::workload

#include "workload/footprint.hpp"

#include <algorithm>
#include <cmath>

#include "workload/activations.hpp"
#include "workload/pipeline_schedule.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

namespace
{

/// ZeRO-3 holds two layers whole: the one at work and the one that is fetched.
constexpr std::int64_t kWholeLayers = 2;

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

/// A parameter of the model as it lies in memory; frozen ones may be narrower. Four bits come with
/// a scale a block of 64, itself quantised: 0.127 bits a parameter (QLoRA, arXiv:2305.14314).
double weight_bytes(const spec::WorkloadSpec& workload, const Shard& shard)
{
    if (!workload.weights) {
        return static_cast<double>(shard.element);
    }
    const double scales = *workload.weights == spec::Precision::fp4 ? 0.127 / 8 : 0;
    return spec::element_bytes(*workload.weights) + scales;
}

Bytes weights(const spec::WorkloadSpec& workload, const StageParameters& parameters,
              const Shard& shard)
{
    const auto spread = spread_from(workload.plan, 3);
    const double each = weight_bytes(workload, shard);
    const auto adapters = shard.frozen() ? static_cast<double>(parameters.trained_shared) : 0;
    return bytes_of((each * static_cast<double>(parameters.shared) +
                     static_cast<double>(shard.element) * adapters) /
                        spread.shared +
                    each * static_cast<double>(parameters.experts) / spread.experts);
}

Bytes of_trained(const StageParameters& parameters, Spread spread, double each)
{
    return bytes_of(each * (static_cast<double>(parameters.trained_shared) / spread.shared +
                            static_cast<double>(parameters.trained_experts) / spread.experts));
}

/// Of the fullest chunk. Layers beyond those recomputed keep all.
Bytes kept_of_visit(const spec::WorkloadSpec& workload, const Stage& stage, const Shard& shard)
{
    Bytes most{};
    for (const auto& kinds : stage.chunks) {
        const auto recomputed = recomputed_layers(workload, kinds.size());
        Bytes kept{};
        for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
            const bool whole = workload.recompute == spec::Recompute::full && layer >= recomputed;
            kept += layer_activations(shard, kinds[layer],
                                      whole ? spec::Recompute::none : workload.recompute);
        }
        most = std::max(most, kept);
    }
    return most;
}

/// What a layer's backward pass needs beside what it kept: a recomputed layer's activations, whole
/// layers of sharded parameters, whole gradients of one layer.
Bytes peak_of(const spec::WorkloadSpec& workload, const Shard& shard, spec::LayerKind kind)
{
    auto bytes = layer_temporary(shard, kind);
    if (workload.recompute == spec::Recompute::full) {
        bytes += layer_activations(shard, kind, spec::Recompute::none);
    }
    const auto parameters = layer_parameters(shard, kind) + expert_parameters(shard, kind);
    if (workload.plan.zero >= 3) {
        bytes += bytes_of(weight_bytes(workload, shard) *
                          static_cast<double>(kWholeLayers * parameters));
    }
    if (workload.plan.zero >= 2) {
        const auto experts = shard.frozen() ? 0 : expert_parameters(shard, kind);
        bytes += Bytes::of(shard.gradient * (trained_parameters(shard, kind) + experts));
    }
    return bytes;
}

Bytes layer_peak(const spec::WorkloadSpec& workload, const Stage& stage, const Shard& shard)
{
    Bytes most{};
    for (const auto& kinds : stage.chunks) {
        for (const auto kind : kinds) {
            most = std::max(most, peak_of(workload, shard, kind));
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
        of_trained(parameters, spread_from(plan, 2), static_cast<double>(part.gradient));
    footprint.optimizer =
        of_trained(parameters, spread_from(plan, 1), workload.framework.optimizer_state_bytes);
    footprint.activations = held * kept_of_visit(workload, stage, part);
    footprint.activations += stage.first() ? held * embedding_activations(part) : Bytes{};
    const auto head = stage.last() ? head_temporary(part) : Bytes{};
    footprint.temporary = std::max(layer_peak(workload, stage, part), head);
    footprint.reserved = workload.framework.reserved;
    return footprint;
}

}  // namespace

std::vector<Footprint> footprint(const spec::WorkloadSpec& workload)
{
    std::vector<Footprint> result;
    for (const auto& stage : stages(workload)) {
        result.push_back(stage_footprint(workload, stage));
    }
    return result;
}

}  // namespace sim::workload

#include "workload/model_flops.hpp"

#include "workload/parameters.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

namespace
{

/// Multiplications of a token with what the mixer remembers: half the keys seen times keys and
/// values, or three products with a state.
std::int64_t mixing(const spec::ModelSpec& model, const Shard& whole, spec::Mixer mixer)
{
    if (mixer == spec::Mixer::linear) {
        return 3 * whole.linear.value_heads * whole.linear.key_dim * whole.linear.value_dim;
    }
    return whole.keys_seen(mixer) * model.heads * whole.attention_width();
}

}  // namespace

Flops model_flops(const spec::WorkloadSpec& workload, std::int64_t tokens)
{
    const auto& model = workload.model;
    auto uncut = workload;
    uncut.plan = spec::PlanSpec{};
    const auto whole = shard(uncut);
    const double learned = workload.adapter_rank > 0 ? 4 : 6;
    const bool head_learns = !model.tied_embeddings || workload.frozen_layers == 0;
    double operations =
        (head_learns ? learned : 4) * static_cast<double>(model.hidden * model.vocab);
    for (int layer = 0; layer < model.layers; ++layer) {
        const auto kind = spec::layer_kind(model, layer);
        const bool frozen = layer < workload.frozen_layers;  // it runs ahead alone
        const auto mixed = static_cast<double>(mixing(model, whole, kind.mixer));
        const auto matrices = static_cast<double>(active_matrices(model, kind));
        operations += (frozen ? 2 : learned) * matrices + (frozen ? 2 : 6) * mixed;
    }
    return Flops::of(operations * static_cast<double>(tokens));
}

}  // namespace sim::workload

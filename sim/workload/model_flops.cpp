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
    std::int64_t matrices = model.hidden * model.vocab;
    std::int64_t mixed = 0;
    for (int layer = 0; layer < model.layers; ++layer) {
        const auto kind = spec::layer_kind(model, layer);
        matrices += active_matrices(model, kind);
        mixed += mixing(model, whole, kind.mixer);
    }
    const double each = workload.adapter_rank > 0 ? 4 : 6;
    return Flops::of((each * static_cast<double>(matrices) + 6 * static_cast<double>(mixed)) *
                     static_cast<double>(tokens));
}

}  // namespace sim::workload

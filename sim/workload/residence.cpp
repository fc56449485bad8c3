#include "workload/residence.hpp"

#include <algorithm>
#include <cmath>

#include "workload/activation_offload.hpp"
#include "workload/checkpoint.hpp"
#include "workload/generation.hpp"
#include "workload/input.hpp"

namespace sim::workload
{

namespace
{

using spec::DataTier;

Bytes scaled(double share, Bytes bytes)
{
    return Bytes::of(std::llround(share * static_cast<double>(bytes.base())));
}

double gradients_away(const spec::OffloadSpec& offload)
{
    if (offload.update_on_host) {
        return offload.gradients.tier == DataTier::hbm ? 0 : offload.optimizer.away();
    }
    return offload.gradients.away();
}

/// The largest layer's: what of it a rank fetches and sends.
struct Largest {
    Bytes weights{};
    Bytes gradients{};
    Bytes cache{};
    std::int64_t trained = 0;  ///< parameters
};

Largest largest_layer(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto part = shard(workload);
    const auto& plan = workload.plan;
    Largest largest;
    for (const auto& kinds : stage.chunks) {
        for (const auto kind : kinds) {
            const auto experts = expert_parameters(part, kind) / expert_group(plan);
            const auto held = owned_parameters(layer_parameters(part, kind), plan) + experts;
            const auto trained = owned_parameters(trained_parameters(part, kind), plan) +
                                 (part.frozen() ? 0 : experts);
            largest.weights = std::max(largest.weights, Bytes::of(part.element * held));
            largest.gradients = std::max(largest.gradients, Bytes::of(part.gradient * trained));
            largest.cache = std::max(largest.cache, layer_cache(workload, kind, workload.sequence));
            largest.trained = std::max(largest.trained, trained);
        }
    }
    return largest;
}

class Holdings
{
public:
    void add(DataTier tier, const char* what, Bytes bytes)
    {
        if (tier != DataTier::hbm && bytes > Bytes{}) {
            held_.push_back({tier, what, bytes});
        }
    }

    void add_overhead(double share)
    {
        Bytes in_dram{};
        for (const auto& held : held_) {
            in_dram += held.tier == DataTier::dram ? held.bytes : Bytes{};
        }
        add(DataTier::dram, "pinned beside it", scaled(share, in_dram));
    }

    [[nodiscard]] std::vector<Held> take() { return std::move(held_); }

private:
    std::vector<Held> held_;
};

Bytes cache(const spec::WorkloadSpec& workload, const Stage& stage)
{
    return workload.prompt ? whole_cache(workload, stage) : Bytes{};
}

/// Activations in host memory lie in pinned memory themselves; all else passes through the buffers.
bool passes_buffers(const spec::OffloadSpec& offload)
{
    auto others = offload;
    others.activations = {};
    return offload.update_on_host || spec::uses(others, DataTier::dram) ||
           (offload.through_dram &&
            (!spec::moves_nothing(others) || offload.activations.tier != DataTier::dram));
}

void add_offloaded(Holdings& holdings, const spec::WorkloadSpec& workload, const Stage& stage,
                   const Footprint& whole)
{
    const auto& offload = *workload.offload;
    if (spec::moves_nothing(offload)) {
        return;
    }
    holdings.add(offload.weights.tier, "weights", scaled(offload.weights.away(), whole.weights));
    // The host sums them in fp32, wherever they go from there.
    const auto wide = offload.update_on_host ? static_cast<double>(kHostGradient) /
                                                   static_cast<double>(shard(workload).gradient)
                                             : 1.0;
    holdings.add(offload.gradients.tier, "gradients",
                 scaled(wide * gradients_away(offload), whole.gradients));
    holdings.add(offload.optimizer.tier, "optimizer state",
                 scaled(offload.optimizer.away(), whole.optimizer));
    holdings.add(offload.activations.tier, "activations", activations_away(workload, stage));
    holdings.add(offload.cache.tier, "cache", scaled(offload.cache.away(), cache(workload, stage)));
    holdings.add_overhead(offload.host_overhead);
    const auto buffers = std::int64_t{offload.buffers.count} * staging_size(workload, stage);
    holdings.add(DataTier::dram, "pinned buffers", passes_buffers(offload) ? buffers : Bytes{});
}

}  // namespace

Bytes staging_size(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto& offload = workload.offload;
    if (!offload || !offload->buffers.adaptive) {
        return offload ? offload->buffers.size : Bytes{};
    }
    const auto trained = static_cast<double>(largest_layer(workload, stage).trained);
    const auto state = Bytes::of(std::llround(workload.framework.optimizer_state_bytes * trained));
    return std::max(state, Bytes::of(1));
}

Footprint left_of(const Footprint& whole, const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto& offload = *workload.offload;
    if (spec::moves_nothing(offload)) {
        return whole;
    }
    const auto stays = [](double away, Bytes bytes) { return bytes - scaled(away, bytes); };
    const auto largest = largest_layer(workload, stage);
    const std::int64_t ahead = offload.prefetch + 1;
    const std::int64_t count = offload.buffers.count;
    auto left = whole;
    left.weights = stays(offload.weights.away(), whole.weights);
    left.gradients = stays(gradients_away(offload), whole.gradients);
    left.optimizer = stays(offload.optimizer.away(), whole.optimizer);
    const auto window = [](double away, Bytes all, Bytes buffers) {
        return std::min(scaled(away, all), away > 0 ? buffers : Bytes{});
    };
    if (workload.prompt) {
        const auto passing = (ahead + count) * largest.cache;
        left.activations = stays(offload.cache.away(), whole.activations) +
                           window(offload.cache.away(), whole.activations, passing);
    }
    left.temporary += window(offload.weights.away(), whole.weights, ahead * largest.weights);
    left.temporary += window(gradients_away(offload), whole.gradients, count * largest.gradients);
    if (!offload.update_on_host) {
        left.temporary += window(offload.optimizer.away(), whole.optimizer,
                                 count * staging_size(workload, stage));
    }
    return left;
}

std::vector<std::vector<Held>> held_elsewhere(const spec::WorkloadSpec& workload)
{
    auto resident = workload;
    resident.offload.reset();
    const auto whole = footprint(resident);
    const auto all = stages(workload);
    std::vector<std::vector<Held>> held;
    for (std::size_t stage = 0; stage < all.size(); ++stage) {
        Holdings holdings;
        if (workload.offload) {
            add_offloaded(holdings, workload, all[stage], whole[stage]);
        }
        if (workload.input && all[stage].first()) {
            const auto& input = *workload.input;
            const auto samples = samples_of_rank(workload);
            holdings.add(DataTier::dram, "samples",
                         input.through_dram || input.from == DataTier::dram
                             ? static_cast<std::int64_t>(input.prefetch + 1) * samples
                             : Bytes{});
        }
        if (workload.checkpoint) {
            const auto writers = workload.checkpoint->sharded ? 1 : spec::replicas(workload.plan);
            const auto saved = checkpoint_bytes(workload, all[stage]) / std::int64_t{writers};
            holdings.add(workload.checkpoint->to, "checkpoint", saved);
            holdings.add(DataTier::dram, "checkpoint on its way",
                         workload.checkpoint->asynchronous ? saved : Bytes{});
        }
        held.push_back(holdings.take());
    }
    return held;
}

}  // namespace sim::workload

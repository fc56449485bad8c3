#include "workload/footprint.hpp"

#include <algorithm>
#include <cmath>

#include "workload/pipeline_schedule.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

namespace
{

/// Bytes of a 16-bit hidden state of one micro-batch, whole.
std::int64_t hidden_state(const Shard& shard)
{
    return shard.tokens * shard.hidden * shard.element / 2;
}

/// What unfused attention keeps of each score unless it is recomputed: the softmax, dropout's mask
/// and its output. With 16 bits this is the 5 a s / h of Korthikanti et al.
std::int64_t kept_scores(const Shard& shard)
{
    return (2 * shard.element + 1) * shard.heads * shard.tokens * shard.sequence;
}

/// The working set of a layer's backward pass in the MLP: two gathered hidden states, the gradients
/// of the activation's inputs and output.
std::int64_t layer_temporary(const Shard& shard)
{
    return shard.element * shard.tokens * (2 * shard.hidden + shard.up() + shard.ffn);
}

/// Logits in both widths and the gathered input of the output projection.
std::int64_t head_temporary(const Shard& shard)
{
    return shard.tokens * ((4 + shard.element) * shard.vocab + shard.element * shard.hidden);
}

Footprint stage_footprint(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto part = shard(workload);
    const auto parameters = stage_parameters(stage, part);
    const auto schedule = stage_schedule(workload, stage.index);
    const int chunks = workload.plan.chunks;
    const int layers_of_visit = (stage.layers + chunks - 1) / chunks;
    const auto owned = static_cast<double>(parameters) / optimizer_group(workload.plan);
    const bool recomputes = workload.recompute == spec::Recompute::full;

    Footprint footprint;
    footprint.weights = Bytes::of(parameters * part.element);
    footprint.gradients = Bytes::of(parameters * part.gradient);
    footprint.optimizer = Bytes::of(std::llround(workload.framework.optimizer_state_bytes * owned));
    footprint.activations =
        in_flight(schedule) * layers_of_visit * layer_activations(workload, workload.recompute);
    const auto layer = Bytes::of(layer_temporary(part)) +
                       (recomputes ? layer_activations(workload, spec::Recompute::none) : Bytes{});
    const auto head = Bytes::of(stage.last() ? head_temporary(part) : 0);
    footprint.temporary = std::max(layer, head);
    footprint.reserved = workload.framework.reserved;
    return footprint;
}

}  // namespace

Bytes layer_activations(const spec::WorkloadSpec& workload, spec::Recompute recompute)
{
    const auto part = shard(workload);
    const auto state = hidden_state(part);
    if (recompute == spec::Recompute::full) {
        return Bytes::of(2 * state);
    }
    const std::int64_t tensor = part.tensor;
    const auto whole = part.sequence_parallel ? 0 : 10 * state;
    const auto cut = part.sequence_parallel ? 34 * state : 24 * state;
    const bool scores = workload.framework.attention == spec::AttentionLibrary::unfused &&
                        recompute == spec::Recompute::none;
    return Bytes::of(whole + cut / tensor + (scores ? kept_scores(part) : 0));
}

std::vector<Footprint> footprint(const spec::WorkloadSpec& workload)
{
    std::vector<Footprint> result;
    for (const auto& stage : stages(workload)) {
        result.push_back(stage_footprint(workload, stage));
    }
    return result;
}

}  // namespace sim::workload

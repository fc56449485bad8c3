#include "workload/activation_offload.hpp"

#include <algorithm>
#include <cmath>

#include "workload/activations.hpp"
#include "workload/pipeline_schedule.hpp"

namespace sim::workload
{

namespace
{

Bytes kept_of(const spec::WorkloadSpec& workload, const Shard& shard, spec::LayerKind kind,
              bool recomputed)
{
    const bool whole = workload.recompute == spec::Recompute::full && !recomputed;
    return layer_activations(shard, kind, whole ? spec::Recompute::none : workload.recompute);
}

/// Of a chunk, those whose activations leave.
std::size_t offloaded_layers(const spec::Residence& activations, std::size_t layers)
{
    const auto most = static_cast<std::size_t>(std::max(activations.layers.value_or(0), 0));
    return activations.layers ? std::min(layers, most) : layers;
}

}  // namespace

std::vector<Bytes> offloaded_of_layers(const spec::WorkloadSpec& workload, const Stage& stage,
                                       std::size_t chunk)
{
    const auto& kinds = stage.chunks[chunk];
    std::vector<Bytes> sizes(kinds.size());
    if (!workload.offload || workload.offload->activations.away() == 0) {
        return sizes;
    }
    const auto part = shard(workload);
    const auto& activations = workload.offload->activations;
    const auto recomputed = recomputed_layers(workload, kinds.size());
    const auto leaving = offloaded_layers(activations, kinds.size());
    for (auto layer = stage.frozen_in(chunk); layer < leaving; ++layer) {
        const auto kept = kept_of(workload, part, kinds[layer], layer < recomputed);
        sizes[layer] =
            Bytes::of(std::llround(activations.away() * static_cast<double>(kept.base())));
    }
    return sizes;
}

std::int64_t layers_passing(const spec::OffloadSpec& offload, std::int64_t held)
{
    // Forward: the layer that runs and those that leave. Backward: those that come, one of which
    // runs. With several micro-batches in flight a backward's come while a forward's leave.
    const std::int64_t ahead = 1 + std::int64_t{offload.buffers.count};
    const std::int64_t back = 1 + std::int64_t{offload.prefetch};
    return held > 1 ? ahead + back : std::max(ahead, back);
}

Bytes activations_away(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto held = in_flight(stage_schedule(workload, stage.index));
    Bytes most{};
    for (std::size_t chunk = 0; chunk < stage.chunks.size(); ++chunk) {
        Bytes sent{};
        for (const auto bytes : offloaded_of_layers(workload, stage, chunk)) {
            sent += bytes;
        }
        most = std::max(most, sent);
    }
    return held * most;
}

ActivationOffload::ActivationOffload(const spec::WorkloadSpec& workload, const Stage& stage,
                                     const StageParts& parts, TaskWriter& writer)
    : offload_{workload.offload.value_or(spec::OffloadSpec{})},
      writer_{writer},
      copies_{offload_, writer}
{
    for (std::size_t chunk = 0; chunk < stage.chunks.size(); ++chunk) {
        auto sizes = offloaded_of_layers(workload, stage, chunk);
        const auto& blocks = parts.chunks()[chunk].blocks;
        if (!blocks.empty() && !blocks.front()->layer) {
            sizes.insert(sizes.begin(), Bytes{});  // the embedding
        }
        sizes.resize(blocks.size());
        sizes_.push_back(std::move(sizes));
    }
}

Bytes ActivationOffload::size_of(const OffloadedBlock& block) const
{
    return sizes_[block.chunk][block.position];
}

void ActivationOffload::after_forward(const OffloadedBlock& block)
{
    const auto size = size_of(block);
    if (size == Bytes{}) {
        return;
    }
    auto& builder = writer_.builder();
    const auto made = builder.last(writer_.compute()).value();
    const auto bytes = static_cast<double>(size.base());
    builder.holds_next(copies_.stream("activations leave"), MemoryContent::host_activations, bytes);
    left_.push_back(copies_.write(
        "activations leave",
        {.from = spec::DataTier::hbm, .to = offload_.activations.tier, .size = size}, {&made, 1}));
    builder.holds_after(left_.back(), MemoryContent::activations, -bytes);
    away_[{block.micro_batch, block.chunk, block.position}] = left_.back();
    const auto count = static_cast<std::size_t>(offload_.buffers.count);
    if (left_.size() > count) {
        writer_.await(left_[left_.size() - 1 - count]);
    }
}

void ActivationOffload::before_backward(const OffloadedBlock& block)
{
    const auto left = away_.find({block.micro_batch, block.chunk, block.position});
    if (left == away_.end()) {
        return;
    }
    std::vector<Dependence> after{left->second};
    const auto ahead = static_cast<std::size_t>(offload_.prefetch) + 1;
    if (fetched_ >= ahead && fetched_ - ahead < freed_.size()) {
        after.push_back(freed_[fetched_ - ahead]);
    }
    ++fetched_;
    auto& builder = writer_.builder();
    const auto bytes = static_cast<double>(size_of(block).base());
    builder.holds_next(copies_.stream("activation fetch"), MemoryContent::activations, bytes);
    const auto fetched = copies_.write(
        "activation fetch",
        {.from = offload_.activations.tier, .to = spec::DataTier::hbm, .size = size_of(block)},
        after);
    builder.holds_after(fetched, MemoryContent::host_activations, -bytes);
    writer_.await(fetched);
    away_.erase(left);
}

void ActivationOffload::after_backward(const OffloadedBlock& block)
{
    if (size_of(block) > Bytes{}) {
        freed_.push_back(writer_.builder().last(writer_.compute()).value());
    }
}

}  // namespace sim::workload

#include "workload/activation_offload.hpp"

#include <algorithm>

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

Copy between(spec::DataTier from, spec::DataTier to, Bytes size)
{
    return {.from = from, .to = to, .size = size, .purpose = purpose_of(from, to)};
}

}  // namespace

std::size_t offloaded_layers(const spec::WorkloadSpec& workload, std::size_t layers)
{
    return std::min(layers, static_cast<std::size_t>(workload.offloaded_layers));
}

std::vector<Bytes> offloaded_of_layers(const spec::WorkloadSpec& workload, const Stage& stage,
                                       std::size_t chunk)
{
    const auto part = shard(workload);
    const auto& kinds = stage.chunks[chunk];
    const auto recomputed = recomputed_layers(workload, kinds.size());
    std::vector<Bytes> sizes(kinds.size());
    for (auto layer = stage.frozen_in(chunk); layer < offloaded_layers(workload, kinds.size());
         ++layer) {
        sizes[layer] = kept_of(workload, part, kinds[layer], layer < recomputed);
    }
    return sizes;
}

Bytes host_activations(const spec::WorkloadSpec& workload, const Stage& stage)
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
    : writer_{writer}
{
    for (std::size_t chunk = 0; chunk < stage.chunks.size(); ++chunk) {
        auto sizes = offloaded_of_layers(workload, stage, chunk);
        any_ |= std::any_of(sizes.begin(), sizes.end(), [](Bytes b) { return b > Bytes{}; });
        const auto& blocks = parts.chunks()[chunk].blocks;
        if (!blocks.empty() && !blocks.front()->layer) {
            sizes.insert(sizes.begin(), Bytes{});  // the embedding
        }
        sizes.resize(blocks.size());
        sizes_.push_back(std::move(sizes));
    }
    if (any_) {
        out_ = writer_.builder().add_stream("activations out");
        back_ = writer_.builder().add_stream("activations back");
    }
}

Bytes ActivationOffload::size_of(const OffloadedBlock& block) const
{
    return sizes_[block.chunk][block.position];
}

bool ActivationOffload::offloads(const OffloadedBlock& block) const
{
    return size_of(block) > Bytes{};
}

void ActivationOffload::before_forward(const OffloadedBlock& block)
{
    if (offloads(block) && sent_.size() >= kOffloadBuffers) {
        writer_.await(sent_[sent_.size() - kOffloadBuffers]);
    }
}

void ActivationOffload::after_forward(const OffloadedBlock& block)
{
    if (!offloads(block)) {
        return;
    }
    const auto payload = writer_.builder().copy(
        "activations out", between(spec::DataTier::hbm, spec::DataTier::dram, size_of(block)));
    const auto ran = writer_.builder().last(writer_.compute()).value();
    const auto bytes = static_cast<double>(size_of(block).base());
    writer_.builder().holds_next(out_, MemoryContent::host_activations, bytes);
    sent_.push_back(writer_.append_apart({out_, TaskKind::copy, payload}, std::span{&ran, 1}));
    writer_.builder().holds_after(sent_.back(), MemoryContent::activations, -bytes);
    in_host_[{block.micro_batch, block.chunk, block.position}] = sent_.back();
}

/// Not before the newest kernel has ended and what it brings back has left.
void ActivationOffload::fetch(const OffloadedBlock& block)
{
    const Key key{block.micro_batch, block.chunk, block.position};
    if (!offloads(block) || fetched_.count(key) != 0) {
        return;
    }
    const auto payload = writer_.builder().copy(
        "activations back", between(spec::DataTier::dram, spec::DataTier::hbm, size_of(block)));
    const Dependence after[] = {writer_.builder().last(writer_.compute()).value(),
                                in_host_.at(key)};
    const auto bytes = static_cast<double>(size_of(block).base());
    writer_.builder().holds_next(back_, MemoryContent::activations, bytes);
    fetched_[key] = writer_.append_apart({back_, TaskKind::copy, payload}, after);
    writer_.builder().holds_after(fetched_[key], MemoryContent::host_activations, -bytes);
}

void ActivationOffload::before_backward(const OffloadedBlock& block)
{
    if (!any_) {
        return;
    }
    fetch(block);
    if (block.position > 0) {
        fetch({block.micro_batch, block.chunk, block.position - 1});
    }
    if (offloads(block)) {
        const Key key{block.micro_batch, block.chunk, block.position};
        writer_.await(fetched_.at(key));
        fetched_.erase(key);
        in_host_.erase(key);
    }
}

}  // namespace sim::workload

#include "workload/stage_parts.hpp"

#include <algorithm>

#include "workload/layer_operations.hpp"

namespace sim::workload
{

StageParts::StageParts(const spec::WorkloadSpec& workload, const Stage& stage,
                       ProgramBuilder& builder)
    : shard_{shard(workload)}, builder_{builder}
{
    const auto chunks = static_cast<std::size_t>(workload.plan.chunks);
    chunks_.resize(chunks);
    chunks_.front().first = stage.first();
    chunks_.back().last = stage.last();

    if (stage.first()) {
        auto& embedding = blocks_.emplace_back();
        embedding.forward = builder.prepare(embedding_forward(shard_));
        embedding.backward = builder.prepare(embedding_backward(shard_));
        embedding.embedding = true;
        chunks_.front().blocks.push_back(&embedding);
    }
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const auto& kinds = stage.chunks[chunk];
        const auto recomputed = recomputed_layers(workload, kinds.size());
        for (std::size_t index = 0; index < kinds.size(); ++index) {
            chunks_[chunk].blocks.push_back(layer(kinds[index], index < recomputed));
        }
    }
    if (stage.last()) {
        auto& head = blocks_.emplace_back();
        head.forward = builder.prepare(head_forward(shard_));
        head.backward = builder.prepare(head_backward(shard_, stage.owns_head()));
        head.embedding = stage.shares_embedding();
        chunks_.back().blocks.push_back(&head);
    }
}

const Block* StageParts::layer(spec::LayerKind kind, bool recomputed)
{
    for (const auto& known : layers_) {
        if (known.kind == kind && known.recomputed == recomputed) {
            return known.block;
        }
    }
    auto& block = blocks_.emplace_back();
    block.layer = true;
    block.forward = builder_.prepare(layer_forward(shard_, kind, false));
    if (recomputed) {
        block.recompute = builder_.prepare(layer_forward(shard_, kind, true));
    }
    block.backward = builder_.prepare(layer_backward(shard_, kind));
    block.parameters = layer_parameters(shard_, kind);
    block.experts = expert_parameters(shard_, kind);
    block.trained = trained_parameters(shard_, kind);
    block.trained_experts = shard_.frozen() ? 0 : block.experts;
    layers_.push_back({kind, recomputed, &block});
    return &block;
}

}  // namespace sim::workload

#include "workload/stage_parts.hpp"

#include "workload/communicators.hpp"
#include "workload/layer_operations.hpp"

namespace sim::workload
{

StageParts::StageParts(const spec::WorkloadSpec& workload, const Stage& stage,
                       ProgramBuilder& builder)
{
    const auto part = shard(workload);
    const auto prepare = [&builder](const Recipe& recipe) {
        return builder.prepare(recipe, {number(Slot::tensor), number(Slot::context)});
    };
    const int chunks = workload.plan.chunks;
    chunks_.resize(static_cast<std::size_t>(chunks));
    chunks_.front().first = stage.first();
    chunks_.back().last = stage.last();

    if (stage.first()) {
        auto& embedding = blocks_.emplace_back();
        embedding.forward = prepare(embedding_forward(part));
        embedding.backward = prepare(embedding_backward(part));
        embedding.embedding = true;
        chunks_.front().blocks.push_back(&embedding);
    }
    auto& layer = blocks_.emplace_back();
    layer.forward = prepare(layer_forward(part, false));
    if (workload.recompute == spec::Recompute::full) {
        layer.recompute = prepare(layer_forward(part, true));
    }
    layer.backward = prepare(layer_backward(part));
    const bool ends = workload.plan.ends_as_layers;
    const int places =
        stage.layers + (ends && stage.first() ? 1 : 0) + (ends && stage.last() ? 1 : 0);
    for (auto& chunk : chunks_) {
        const int taken = (ends && chunk.first ? 1 : 0) + (ends && chunk.last ? 1 : 0);
        chunk.blocks.insert(chunk.blocks.end(), static_cast<std::size_t>(places / chunks - taken),
                            &layer);
    }
    if (stage.last()) {
        auto& head = blocks_.emplace_back();
        head.forward = prepare(head_forward(part));
        head.backward = prepare(head_backward(part, stage.owns_head()));
        head.embedding = stage.shares_embedding();
        chunks_.back().blocks.push_back(&head);
    }
}

}  // namespace sim::workload

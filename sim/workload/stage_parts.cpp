#include "workload/stage_parts.hpp"

#include <algorithm>

#include "workload/activations.hpp"
#include "workload/backward_split.hpp"
#include "workload/layer_operations.hpp"

namespace sim::workload
{

StageParts::StageParts(const spec::WorkloadSpec& workload, const Stage& stage,
                       ProgramBuilder& builder)
    : workload_{workload},
      shard_{shard(workload)},
      splits_{workload.plan.schedule == spec::Schedule::zero_bubble},
      framework_{workload.framework},
      builder_{builder}
{
    chunks_.resize(static_cast<std::size_t>(workload.plan.chunks));
    chunks_.front().first = stage.first();
    chunks_.back().last = stage.last();
    if (stage.first()) {
        add_embedding(stage);
    }
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
        const auto& kinds = stage.chunks[chunk];
        const auto recomputed = recomputed_layers(workload, kinds.size());
        const auto frozen = stage.frozen_in(chunk);
        chunks_[chunk].learns = stage.learns(chunk);
        chunks_[chunk].passes_gradient = stage.passes_gradient(chunk);
        for (std::size_t index = 0; index < kinds.size(); ++index) {
            chunks_[chunk].blocks.push_back(
                layer({kinds[index], index < recomputed && index >= frozen, index < frozen}));
        }
    }
    if (stage.last()) {
        add_head(stage);
    }
}

void StageParts::add_embedding(const Stage& stage)
{
    auto& embedding = blocks_.emplace_back();
    embedding.forward = builder_.prepare(embedding_forward(shard_));
    if (stage.frozen_layers == 0) {
        prepare_backward(embedding, embedding_backward(shard_));
    }
    embedding.embedding = true;
    set_issue_times(embedding);
    chunks_.front().blocks.push_back(&embedding);
}

void StageParts::add_head(const Stage& stage)
{
    auto& head = blocks_.emplace_back();
    head.forward = builder_.prepare(head_forward(shard_));
    const auto whose = stage.frozen_layers > 0 && !stage.head_learns() ? HeadWeight::frozen
                       : stage.owns_head()                             ? HeadWeight::own
                                                                       : HeadWeight::of_embedding;
    prepare_backward(head, head_backward(shard_, whose));
    head.embedding = stage.shares_embedding();
    set_issue_times(head);
    chunks_.back().blocks.push_back(&head);
}

void StageParts::set_issue_times(Block& block) const
{
    const auto sums = [](const PreparedRecipe& recipe) {
        return static_cast<double>(std::count_if(
            recipe.entries.begin(), recipe.entries.end(), [](const PreparedRecipe::Entry& entry) {
                return entry.kind == TaskKind::collective && entry.slot == Slot::tensor;
            }));
    };
    const auto held = static_cast<double>(shard_.experts.held);
    const auto experts =
        block.experts > 0 ? framework_.issue_experts + held * framework_.issue_each_expert : Time{};
    block.issue_forward =
        framework_.issue_forward + experts + sums(block.forward) * framework_.issue_collective;
    block.issue_backward =
        framework_.issue_backward + experts +
        (sums(block.backward) + sums(block.weights)) * framework_.issue_collective;
}

const Block* StageParts::layer(const Layer& wanted)
{
    for (const auto& known : layers_) {
        if (known.layer == wanted) {
            return known.block;
        }
    }
    const auto kind = wanted.kind;
    auto& block = blocks_.emplace_back();
    block.layer = true;
    block.forward = builder_.prepare(layer_forward(shard_, kind, false));
    if (wanted.recomputed) {
        block.recompute = builder_.prepare(layer_forward(shard_, kind, true));
    }
    block.parameters = layer_parameters(shard_, kind);
    block.experts = expert_parameters(shard_, kind);
    if (!wanted.frozen) {
        const bool whole = workload_.recompute == spec::Recompute::full && !wanted.recomputed;
        block.kept =
            layer_activations(shard_, kind, whole ? spec::Recompute::none : workload_.recompute);
        prepare_backward(block, layer_backward(shard_, kind));
        block.trained = trained_parameters(shard_, kind);
        block.trained_experts = shard_.frozen() ? 0 : block.experts;
    }
    set_issue_times(block);
    layers_.push_back({wanted, &block});
    return &block;
}

void StageParts::prepare_backward(Block& block, const Recipe& recipe)
{
    if (!splits_) {
        block.backward = builder_.prepare(recipe);
        return;
    }
    const auto parts = split_backward(recipe);
    block.backward = builder_.prepare(parts.input);
    block.weights = builder_.prepare(parts.weights);
}

}  // namespace sim::workload

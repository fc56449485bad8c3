#include "workload/memory_marks.hpp"

#include "workload/activations.hpp"
#include "workload/footprint.hpp"

namespace sim::workload
{

namespace
{

double size(Bytes bytes) { return static_cast<double>(bytes.base()); }

}  // namespace

MemoryMarks::MemoryMarks(const spec::WorkloadSpec& workload, const Stage& stage,
                         const StageParts& parts, TaskWriter& writer)
    : writer_{writer}
{
    const auto part = shard(workload);
    const double mask = stage.frozen_layers == 0 ? size(embedding_activations(part)) : 0;
    for (std::size_t chunk = 0; chunk < parts.chunks().size(); ++chunk) {
        const auto& its = parts.chunks()[chunk];
        const auto& kinds = stage.chunks[chunk];
        std::size_t layer = 0;
        auto& sizes = sizes_.emplace_back();
        for (const auto* block : its.blocks) {
            Sizes own;
            double kept = size(block->kept);
            if (block->layer) {
                own.forward = size(gathered_weights(workload, part, kinds[layer]));
                own.backward = size(working_set(workload, part, kinds[layer]));
                ++layer;
            } else if (its.first && sizes.empty()) {
                kept = mask;
            } else {
                own.forward = own.backward = size(head_temporary(part));
            }
            const bool learns = !block->backward.entries.empty() || !block->weights.entries.empty();
            own.kept = learns ? kept : 0;
            sizes.push_back(own);
        }
        learns_.push_back(its.learns);
    }
}

void MemoryMarks::next(MemoryContent content, double amount)
{
    writer_.builder().holds_next(writer_.compute(), content, amount);
}

void MemoryMarks::after(MemoryContent content, double amount)
{
    if (const auto last = writer_.builder().last(writer_.compute())) {
        writer_.builder().holds_after(*last, content, amount);
    }
}

void MemoryMarks::forward_begins(std::size_t chunk, std::size_t block)
{
    const auto& own = sizes(chunk, block);
    if (learns_[chunk]) {
        next(MemoryContent::micro_batches, block == 0 ? 1 : 0);
        next(MemoryContent::activations, own.kept);
    }
    next(MemoryContent::temporary, own.forward);
}

void MemoryMarks::forward_ended(std::size_t chunk, std::size_t block)
{
    after(MemoryContent::temporary, -sizes(chunk, block).forward);
}

void MemoryMarks::backward_begins(std::size_t chunk, std::size_t block)
{
    next(MemoryContent::temporary, sizes(chunk, block).backward);
}

void MemoryMarks::backward_ended(std::size_t chunk, std::size_t block)
{
    after(MemoryContent::temporary, -sizes(chunk, block).backward);
}

void MemoryMarks::freed(std::size_t chunk, std::size_t block)
{
    after(MemoryContent::activations, -sizes(chunk, block).kept);
}

void MemoryMarks::micro_batch_ended(std::size_t chunk)
{
    after(MemoryContent::micro_batches, learns_[chunk] ? -1 : 0);
}

}  // namespace sim::workload

#pragma once

#include <deque>
#include <vector>

#include "workload/program_builder.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// A part of the model that runs as a whole: the embedding, a layer, or the head.
struct Block {
    PreparedRecipe forward;
    PreparedRecipe recompute;  ///< empty unless the backward pass repeats the forward
    PreparedRecipe backward;
    bool embedding = false;
};

/// What of the model runs in one visit, first block first.
struct Chunk {
    bool first = false;  ///< of the model
    bool last = false;
    std::vector<const Block*> blocks;
};

/// The chunks of a stage with their recipes in the tables of its program.
class StageParts
{
public:
    StageParts(const spec::WorkloadSpec& workload, const Stage& stage, ProgramBuilder& builder);

    [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }

private:
    std::deque<Block> blocks_;
    std::vector<Chunk> chunks_;
};

}  // namespace sim::workload

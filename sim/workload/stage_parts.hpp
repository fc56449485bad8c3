#pragma once

#include <cstdint>
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
    PreparedRecipe backward;   ///< empty where nothing learns
    PreparedRecipe weights;    ///< of the backward pass, where the schedule puts it off
    Time issue_forward{};      ///< what the host takes
    Time issue_backward{};     ///< ... for both parts of it
    bool embedding = false;
    bool layer = false;
    std::int64_t parameters = 0;  ///< of a layer, without its experts
    std::int64_t experts = 0;
    std::int64_t trained = 0;  ///< of the parameters
    std::int64_t trained_experts = 0;
    Bytes kept{};  ///< by a forward pass of a layer for its backward pass
};

/// What of the model runs in one visit, first block first.
struct Chunk {
    bool first = false;  ///< of the model
    bool last = false;
    bool learns = true;           ///< something of it does
    bool passes_gradient = true;  ///< something before it does
    std::vector<const Block*> blocks;
};

/// The chunks of a stage with their recipes in the tables of its program.
class StageParts
{
public:
    StageParts(const spec::WorkloadSpec& workload, const Stage& stage, ProgramBuilder& builder);

    [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }

private:
    void set_issue_times(Block& block) const;

    struct Layer {
        spec::LayerKind kind;
        bool recomputed = false;
        bool frozen = false;

        friend bool operator==(const Layer&, const Layer&) = default;
    };
    struct KnownLayer {
        Layer layer;
        const Block* block;
    };

    void add_embedding(const Stage& stage);
    void add_head(const Stage& stage);
    /// The block of these layers; equal ones are one block.
    const Block* layer(const Layer& layer);
    void prepare_backward(Block& block, const Recipe& recipe);

    const spec::WorkloadSpec& workload_;
    Shard shard_;
    bool splits_ = false;
    const spec::FrameworkSpec& framework_;
    ProgramBuilder& builder_;
    std::vector<KnownLayer> layers_;
    std::deque<Block> blocks_;
    std::vector<Chunk> chunks_;
};

}  // namespace sim::workload

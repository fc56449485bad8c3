#pragma once

#include <cstddef>
#include <vector>

#include "spec/workload.hpp"
#include "workload/shard.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// Writes beside a stage's tasks what its memory gains and loses with them: a block's activations
/// come when its forward pass starts and go when its last pass has ended, its working set comes and
/// goes with each pass; what is sent away, ActivationOffload marks. At its fullest that is what
/// `footprint` counts.
class MemoryMarks
{
public:
    MemoryMarks(const spec::WorkloadSpec& workload, const Stage& stage, const StageParts& parts,
                TaskWriter& writer);

    /// The tasks of a pass through a block come next, or have been written.
    void forward_begins(std::size_t chunk, std::size_t block);
    void forward_ended(std::size_t chunk, std::size_t block);
    void backward_begins(std::size_t chunk, std::size_t block);
    void backward_ended(std::size_t chunk, std::size_t block);
    /// No pass of this micro-batch needs what the block has kept any more.
    void freed(std::size_t chunk, std::size_t block);
    /// ... what the chunk has kept.
    void micro_batch_ended(std::size_t chunk);

private:
    struct Sizes {
        double kept = 0;
        double forward = 0;
        double backward = 0;
    };
    [[nodiscard]] const Sizes& sizes(std::size_t chunk, std::size_t block) const
    {
        return sizes_[chunk][block];
    }
    void next(MemoryContent content, double amount);
    void after(MemoryContent content, double amount);

    TaskWriter& writer_;
    std::vector<std::vector<Sizes>> sizes_;  ///< by chunk and block
    std::vector<bool> learns_;               ///< by chunk
};

}  // namespace sim::workload

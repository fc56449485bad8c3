#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "workload/offload_copies.hpp"
#include "workload/shard.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// A block of the model in one micro-batch.
struct OffloadedBlock {
    std::int64_t micro_batch = 0;
    std::size_t chunk = 0;
    std::size_t position = 0;  ///< among the chunk's blocks
};

/// Moves what layers keep for their backward pass out of the GPU and back. sim/workload/offload.md
///
/// A layer's activations leave when its forward has ended; a layer does not start before those of
/// `buffers.count` + 1 layers before it have left. They come back once they have left and the
/// backward pass `prefetch` + 1 before has ended.
class ActivationOffload
{
public:
    ActivationOffload(const spec::WorkloadSpec& workload, const Stage& stage,
                      const StageParts& parts, TaskWriter& writer);

    void after_forward(const OffloadedBlock& block);
    void before_backward(const OffloadedBlock& block);
    /// All of its backward pass has been written, which frees what it had fetched.
    void after_backward(const OffloadedBlock& block);

private:
    using Key = std::tuple<std::int64_t, std::size_t, std::size_t>;

    [[nodiscard]] Bytes size_of(const OffloadedBlock& block) const;

    spec::OffloadSpec offload_;
    TaskWriter& writer_;
    OffloadCopies copies_;
    std::vector<std::vector<Bytes>> sizes_;  ///< of each chunk's blocks; 0 bytes stay
    std::map<Key, Dependence> away_;
    std::vector<Dependence> left_;   ///< in order
    std::vector<Dependence> freed_;  ///< what came back, in order
    std::size_t fetched_ = 0;
};

/// What each layer of a chunk sends away in a micro-batch; nothing those that stay.
[[nodiscard]] std::vector<Bytes> offloaded_of_layers(const spec::WorkloadSpec& workload,
                                                     const Stage& stage, std::size_t chunk);

/// Of offloaded layers, at most so many have their activations in HBM at once when `held`
/// micro-batches are in flight.
[[nodiscard]] std::int64_t layers_passing(const spec::OffloadSpec& offload, std::int64_t held);

/// What one rank of a stage has elsewhere at the worst instant.
[[nodiscard]] Bytes activations_away(const spec::WorkloadSpec& workload, const Stage& stage);

}  // namespace sim::workload

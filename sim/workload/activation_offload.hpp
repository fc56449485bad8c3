#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

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

/// Moves what the first layers of each chunk keep for their backward pass to host memory and back.
///
/// A layer's activations leave when its forward has ended, while the next layers run; a layer does
/// not start before those of the layer two before it have left. They come back while the layer
/// above runs backward: the copy starts when the layer two above has ended. So two layers of them
/// at most are in HBM besides those of layers that stay. sim/workload/plans.md
class ActivationOffload
{
public:
    ActivationOffload(const spec::WorkloadSpec& workload, const Stage& stage,
                      const StageParts& parts, TaskWriter& writer);

    void before_forward(const OffloadedBlock& block);
    void after_forward(const OffloadedBlock& block);
    void before_backward(const OffloadedBlock& block);

private:
    using Key = std::tuple<std::int64_t, std::size_t, std::size_t>;

    [[nodiscard]] Bytes size_of(const OffloadedBlock& block) const;
    [[nodiscard]] bool offloads(const OffloadedBlock& block) const;
    void fetch(const OffloadedBlock& block);

    TaskWriter& writer_;
    /// Of each chunk's blocks; 0 bytes stay.
    std::vector<std::vector<Bytes>> sizes_;
    bool any_ = false;
    StreamId out_{0};
    StreamId back_{0};
    std::vector<Dependence> sent_;
    std::map<Key, Dependence> in_host_;
    std::map<Key, Dependence> fetched_;
};

/// Layers whose activations a chunk of `layers` sends away, those that learn nothing aside.
[[nodiscard]] std::size_t offloaded_layers(const spec::WorkloadSpec& workload, std::size_t layers);

/// Of offloaded layers, at most so many have their activations in HBM at once.
inline constexpr std::size_t kOffloadBuffers = 2;

/// What each layer of a chunk sends to host memory in a micro-batch; nothing those that stay.
[[nodiscard]] std::vector<Bytes> offloaded_of_layers(const spec::WorkloadSpec& workload,
                                                     const Stage& stage, std::size_t chunk);

/// What one rank of a stage has in host memory at the worst instant.
[[nodiscard]] Bytes host_activations(const spec::WorkloadSpec& workload, const Stage& stage);

}  // namespace sim::workload

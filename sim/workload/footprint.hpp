#pragma once

#include <vector>

#include "core/quantity.hpp"
#include "spec/workload.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// What lives in one GPU's memory at the worst instant of a step.
struct Footprint {
    Bytes weights{};
    Bytes gradients{};
    Bytes optimizer{};
    Bytes activations{};
    Bytes temporary{};  ///< logits and the largest layer's working set
    Bytes reserved{};   ///< context, communicator buffers, allocator slack

    [[nodiscard]] Bytes total() const
    {
        return weights + gradients + optimizer + activations + temporary + reserved;
    }
};

/// What a layer's backward pass needs beside what it kept: a recomputed layer's activations, whole
/// layers of sharded parameters, whole gradients of one layer.
[[nodiscard]] Bytes working_set(const spec::WorkloadSpec& workload, const Shard& shard,
                                spec::LayerKind kind);
/// Whole layers of sharded parameters, which a forward pass needs as well.
[[nodiscard]] Bytes gathered_weights(const spec::WorkloadSpec& workload, const Shard& shard,
                                     spec::LayerKind kind);

/// One entry per pipeline stage. Equations in sim/workload/footprint.md.
[[nodiscard]] std::vector<Footprint> footprint(const spec::WorkloadSpec& workload);

}  // namespace sim::workload

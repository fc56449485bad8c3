#pragma once

#include <vector>

#include "core/quantity.hpp"
#include "spec/workload.hpp"

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

/// One entry per pipeline stage. Equations in sim/workload/footprint.md.
[[nodiscard]] std::vector<Footprint> footprint(const spec::WorkloadSpec& workload);

}  // namespace sim::workload

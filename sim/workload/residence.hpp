#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "spec/workload.hpp"
#include "workload/footprint.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// Bytes of a gradient that the host updates with: it sums them in fp32.
inline constexpr std::int64_t kHostGradient = 4;

/// Not beside the host's memory: what is updated there is staged.
[[nodiscard]] constexpr bool is_far(spec::DataTier tier) { return tier > spec::DataTier::dram; }

/// Something of one rank that lies outside its GPU's memory all the time.
struct Held {
    spec::DataTier tier = spec::DataTier::dram;
    std::string what;
    Bytes bytes{};
};

/// What of the optimiser's state one buffer holds; an adaptive one that of the largest layer.
[[nodiscard]] Bytes staging_size(const spec::WorkloadSpec& workload, const Stage& stage);

/// The same footprint without the weights, gradients and state that are kept elsewhere, with the
/// buffers that they come back to. Equations in sim/workload/offload.md.
[[nodiscard]] Footprint left_of(const Footprint& whole, const spec::WorkloadSpec& workload,
                                const Stage& stage);

/// What a rank of each stage keeps elsewhere: offloaded kinds of data, pinned buffers, samples and
/// checkpoints on their way.
[[nodiscard]] std::vector<std::vector<Held>> held_elsewhere(const spec::WorkloadSpec& workload);

}  // namespace sim::workload

#pragma once

#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "spec/workload.hpp"
#include "workload/footprint.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// Bytes of a gradient that the host updates with: it sums them in fp32.
inline constexpr double kHostGradient = 4;

/// Something of one rank that lies outside its GPU's memory all the time.
struct Held {
    spec::DataTier tier = spec::DataTier::dram;
    std::string what;
    Bytes bytes{};
};

/// The same footprint without what the workload keeps elsewhere, with the buffers that it comes
/// back to. Equations in sim/workload/offload.md.
[[nodiscard]] Footprint left_of(const Footprint& whole, const spec::WorkloadSpec& workload,
                                const Stage& stage);

/// What a rank of each stage keeps elsewhere: offloaded kinds of data, pinned buffers, samples and
/// checkpoints on their way.
[[nodiscard]] std::vector<std::vector<Held>> held_elsewhere(const spec::WorkloadSpec& workload);

}  // namespace sim::workload

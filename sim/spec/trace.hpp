#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/gpu.hpp"

namespace sim::spec
{

/// What a rank's recorded time is multiplied with.
struct SlowRank {
    std::uint32_t rank = 0;
    double factor = 1;
};

/// A recorded job in place of a model and its plan.
struct TraceSpec {
    std::string path{};
    std::optional<Bytes> assumed_size{};   ///< of communication whose size is not recorded
    double compute_scale = 1;              ///< recorded durations take so many times as long
    std::optional<std::uint32_t> rank{};   ///< of a single file that does not tell its own
    bool keep_transfers = false;           ///< collectives take their recorded time
    std::optional<GpuSpec> recorded_on{};  ///< then kernels are taken over to the cluster's GPU
    std::vector<SlowRank> slow{};
    std::vector<std::uint32_t> drop{};  ///< ranks that do nothing and are in no group
    bool idle_gpus = false;             ///< the cluster may have more GPUs than the job has ranks
};

[[nodiscard]] Diagnostics validate(const TraceSpec& trace, const std::string& key);

}  // namespace sim::spec

#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"

namespace sim::spec
{

/// A recorded job in place of a model and its plan.
struct TraceSpec {
    std::string path{};
    std::optional<Bytes> assumed_size{};  ///< of communication whose size is not recorded
    double compute_scale = 1;             ///< recorded durations take so many times as long
    bool idle_gpus = false;               ///< the cluster may have more GPUs than the job has ranks
};

[[nodiscard]] Diagnostics validate(const TraceSpec& trace, const std::string& key);

}  // namespace sim::spec

#pragma once

#include "core/quantity.hpp"
#include "spec/gpu.hpp"
#include "spec/operation.hpp"

namespace sim::compute
{

enum class Bound { math, memory };

/// What a kernel asks of its GPU: one activity over SMs and HBM.
/// Alone on the GPU it takes launch + max(sm_seconds_per_byte * bytes / sms, hbm * bytes / peak).
struct KernelCost {
    double amount = 0;               ///< bytes of HBM traffic (at least 1)
    double sm_seconds_per_byte = 0;  ///< consumption of the SMs; their capacity is their count
    double hbm_per_byte = 0;         ///< consumption of the HBM resource: peak / achieved
    Time launch{};
    Bound bound = Bound::math;  ///< which of the two binds it when alone
    Time alone{};               ///< its duration without contention, launch included
};

/// See sim/compute/README.md for the efficiency of each operation.
[[nodiscard]] KernelCost cost(const spec::Operation& operation, const spec::GpuSpec& gpu);

}  // namespace sim::compute

#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/attention.hpp"
#include "spec/memory.hpp"
#include "spec/precision.hpp"

namespace sim::spec
{

/// What a GPU draws: waiting, and at most.
struct GpuPower {
    Power idle{};
    Power limit{};
    friend bool operator==(const GpuPower&, const GpuPower&) = default;
};

/// One GPU package as its data sheet and its measured sustained rates describe it.
struct GpuSpec {
    std::string name{};
    int sms = 0;
    std::map<Precision, FlopRate> peak{};  ///< dense tensor-core (or vector) rate per input type
    /// Of every peak: what a GEMM of endless shape sustains of it, clocks included; in (0, 1].
    std::map<Precision, double> math_efficiency{};
    Bytes gemm_fill{};                   ///< of k: what starting a tile of a GEMM costs
    bool gemm_store_overlapped = false;  ///< a tile is stored while the next one multiplies
    std::map<AttentionLibrary, AttentionSpec> attention{};  ///< of the fused ones it has
    Bytes memory{};                                         ///< HBM a process can allocate
    Bandwidth memory_bandwidth{};                           ///< HBM peak
    double memory_efficiency = 0;  ///< streaming kernels' achieved / peak, in (0, 1]
    Time kernel_launch{};          ///< gap between two dependent kernels of a busy stream
    /// Where given, what kernels reach of the HBM is its class table's, not memory_efficiency.
    std::optional<GpuHbmSpec> hbm{};
    std::optional<GpuPower> power{};
    friend bool operator==(const GpuSpec&, const GpuSpec&) = default;
};

[[nodiscard]] Diagnostics validate(const GpuSpec& gpu, const std::string& key);

}  // namespace sim::spec

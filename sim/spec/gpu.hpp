#pragma once

#include <map>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/precision.hpp"

namespace sim::spec
{

/// One GPU package as its data sheet and its measured sustained rates describe it.
struct GpuSpec {
    std::string name{};
    int sms = 0;
    std::map<Precision, FlopRate> peak{};  ///< dense tensor-core (or vector) rate per input type
    double math_efficiency = 0;            ///< sustained / peak of the largest GEMMs, in (0, 1]
    Bytes memory{};                        ///< HBM a process can allocate
    Bandwidth memory_bandwidth{};          ///< HBM peak
    double memory_efficiency = 0;          ///< streaming kernels' achieved / peak, in (0, 1]
    Time kernel_launch{};                  ///< gap between two dependent kernels of a busy stream
};

[[nodiscard]] Diagnostics validate(const GpuSpec& gpu, const std::string& key);

}  // namespace sim::spec

#pragma once

#include "spec/gpu.hpp"
#include "spec/operation.hpp"

namespace sim::compute
{

/// Seconds of a GEMM's math on all SMs: whole waves of the tile shape that ends first (README.md).
[[nodiscard]] double gemm_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu);

}  // namespace sim::compute

#pragma once

#include "spec/gpu.hpp"
#include "spec/operation.hpp"

namespace sim::compute
{

/// Seconds of fused attention on all SMs (attention.md). An operation without a library takes the
/// newest the GPU lists. Throws InputError at gpu.attention when the GPU does not list it.
[[nodiscard]] double attention_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu);

}  // namespace sim::compute

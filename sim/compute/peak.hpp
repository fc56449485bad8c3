#pragma once

#include "spec/gpu.hpp"

namespace sim::compute
{

/// The data sheet's rate. Throws InputError at gpu.peak when it has none: no default is honest.
[[nodiscard]] FlopRate peak(spec::Precision precision, const spec::GpuSpec& gpu);

}  // namespace sim::compute

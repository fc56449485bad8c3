#pragma once

#include "config/map_reader.hpp"
#include "spec/gpu.hpp"

namespace sim::config
{

/// The keys of `cluster.gpu`.
[[nodiscard]] spec::GpuSpec read_gpu(MapReader reader);

}  // namespace sim::config

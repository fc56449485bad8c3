#pragma once

#include <map>
#include <string>

#include "config/map_reader.hpp"
#include "spec/gpu.hpp"

namespace sim::config
{

/// The GPUs of measurements by the names they are given there.
using MeasuredGpus = std::map<std::string, spec::GpuSpec>;

[[nodiscard]] MeasuredGpus read_measured_gpus(MapReader reader);
/// The table is configs/validation/kernel-gpus.yaml or one like it.
[[nodiscard]] MeasuredGpus load_measured_gpus(const std::string& path);

}  // namespace sim::config

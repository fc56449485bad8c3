#pragma once

#include <map>
#include <string>

#include "spec/gpu.hpp"

namespace sim::config
{

/// The GPUs of measurements by the names they are given there; the table is
/// configs/validation/kernel-gpus.yaml or one like it.
[[nodiscard]] std::map<std::string, spec::GpuSpec> load_measured_gpus(const std::string& path);

}  // namespace sim::config

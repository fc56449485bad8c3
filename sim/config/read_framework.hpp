#pragma once

#include <string>

#include "config/map_reader.hpp"
#include "spec/framework.hpp"

namespace sim::config
{

/// The mapping `framework` of a workload.
[[nodiscard]] spec::FrameworkSpec read_framework(MapReader reader);

/// A file of configs/hardware/framework.
[[nodiscard]] spec::FrameworkSpec load_framework(const std::string& path);

}  // namespace sim::config

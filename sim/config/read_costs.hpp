#pragma once

#include <string>

#include "spec/costs.hpp"
#include "spec/offload.hpp"

namespace sim::config
{

/// A file such as configs/hardware/costs.yaml. Throws InputError with all that is wrong.
[[nodiscard]] spec::CostSpec load_costs(const std::string& path);

/// A file of configs/hardware/offload.
[[nodiscard]] spec::OffloadSpec load_offload(const std::string& path);

}  // namespace sim::config

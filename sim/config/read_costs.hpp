#pragma once

#include <string>

#include "config/map_reader.hpp"
#include "spec/costs.hpp"
#include "spec/offload.hpp"

namespace sim::config
{

/// The keys of such a file; not validated.
[[nodiscard]] spec::CostSpec read_costs(MapReader reader);

/// A file such as configs/hardware/costs.yaml. Throws InputError with all that is wrong.
[[nodiscard]] spec::CostSpec load_costs(const std::string& path);

/// A file of configs/hardware/offload.
[[nodiscard]] spec::OffloadSpec load_offload(const std::string& path);

}  // namespace sim::config

#pragma once

#include "config/map_reader.hpp"
#include "spec/fabric.hpp"

namespace sim::config
{

/// The lists of a fabric of kind custom; sim/fabric/custom.md has the keys.
[[nodiscard]] spec::Network read_custom(MapReader& reader);

}  // namespace sim::config

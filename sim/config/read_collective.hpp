#pragma once

#include "config/map_reader.hpp"
#include "spec/collective.hpp"

namespace sim::config
{

/// The mapping `collective` of a cluster.
[[nodiscard]] spec::CollectiveSpec read_collective(MapReader reader);

}  // namespace sim::config

#pragma once

#include "config/map_reader.hpp"
#include "spec/fabric.hpp"

namespace sim::config
{

/// The mapping `cluster.fabric`: what all kinds have, then what its `kind` has.
[[nodiscard]] spec::FabricSpec read_fabric(MapReader reader);

/// `price` and `power`, which switches, NICs and cables may have.
[[nodiscard]] spec::Upkeep read_upkeep(MapReader& reader);

}  // namespace sim::config

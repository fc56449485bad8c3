#pragma once

#include "config/map_reader.hpp"
#include "spec/node.hpp"

namespace sim::config
{

/// What `cluster` says of a node: `gpus_per_node`, `gpu`, `nvlink`, `pcie`, `nic`, `node`, `host`.
[[nodiscard]] spec::NodeSpec read_node(MapReader& cluster);

}  // namespace sim::config

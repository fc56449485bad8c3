#pragma once

#include <vector>

#include "fabric/fabric.hpp"

namespace sim::fabric
{

/// Shortest way between two GPUs, NICs or sockets of one node through its PCIe switches and
/// sockets alone; empty when there is none. Where the switches send peer traffic up
/// (`fabric.peer_through_root`) the way leads through the nearest socket, over the same slot up and
/// down again.
[[nodiscard]] std::vector<LinkId> host_path(const Fabric& fabric, VertexId from, VertexId to);

}  // namespace sim::fabric

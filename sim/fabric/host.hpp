#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds the GPUs and NICs of a node with their slots, PCIe switches and sockets, and enters them in
/// the fabric's tables; returns the GPUs. Sockets are joined with each other on the same board: a
/// server is one, a rack has one a tray. sim/fabric/host.md has the layouts.
std::vector<VertexId> add_host(Fabric& fabric, const spec::NodeSpec& node, const std::string& name,
                               int boards = 1);

}  // namespace sim::fabric

#pragma once

#include <string>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds one server whose GPUs reach each other through PCIe switches and sockets alone.
void add_pcie_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name);

}  // namespace sim::fabric

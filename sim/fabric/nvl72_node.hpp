#pragma once

#include <string>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds one rack: compute trays of four GPUs, every GPU joined to every switch tray.
void add_nvl72_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name);

}  // namespace sim::fabric

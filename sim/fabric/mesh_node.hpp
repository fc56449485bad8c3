#pragma once

#include <string>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds one server whose GPU pairs are joined as they are listed.
void add_mesh_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name);

}  // namespace sim::fabric

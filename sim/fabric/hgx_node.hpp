#pragma once

#include <string>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds one server whose GPUs are joined to one or more planes of NVSwitch. A GPU spreads its
/// traffic over the planes, so k of 1/k of its bandwidth each carry what one carries.
void add_hgx_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name);

}  // namespace sim::fabric

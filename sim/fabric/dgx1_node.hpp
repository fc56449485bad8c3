#pragma once

#include <string>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds one server of eight GPUs in a hybrid cube mesh: six links each, two between some pairs.
void add_dgx1_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name);

}  // namespace sim::fabric

#pragma once

#include <string>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Adds one server whose n GPUs are joined pair by pair, each pair with 1/(n - 1) of the bandwidth.
void add_xgmi_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name);

}  // namespace sim::fabric

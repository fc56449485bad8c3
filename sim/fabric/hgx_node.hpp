#pragma once

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Adds one server and enters its GPUs and NICs in the fabric's tables.
///
/// Every GPU is joined to one NVSwitch vertex, which stands for all planes: a GPU spreads its
/// traffic evenly over them, so k planes of 1/k of the bandwidth each carry what one carries.
/// Every NIC has a PCIe switch that serves the GPUs of `nic_of_gpu`; each GPU and NIC slot is a
/// link of the slot's usable bandwidth. sim/fabric/README.md has the equations.
void add_hgx_node(Fabric& fabric, const spec::NodeSpec& node, int index);

}  // namespace sim::fabric

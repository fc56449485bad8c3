#pragma once

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Adds the switches and cables that are listed; the nodes are there already. Throws InputError
/// with every end that is not known, every NIC without a cable and every switch with too many.
void add_custom(Fabric& fabric, const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

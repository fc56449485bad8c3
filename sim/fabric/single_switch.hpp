#pragma once

#include <optional>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Puts every NIC on one switch. Throws InputError when it lacks the ports.
void add_single_switch(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Half of the NICs: a switch is non-blocking.
[[nodiscard]] std::optional<Bandwidth> single_switch_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

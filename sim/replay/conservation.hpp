#pragma once

#include "collective/schedule.hpp"
#include "fabric/fabric.hpp"

namespace sim::replay
{

/// Bytes in = bytes out, per flow: at every switch, NIC and bridge it crosses, and over all GPUs
/// together. A schedule that loses or makes bytes is a contract violation that names the place.
void expect_conserved(const collective::Schedule& schedule, const fabric::Fabric& fabric);

}  // namespace sim::replay

#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.hpp"
#include "spec/placement.hpp"

namespace sim::fabric
{

/// The GPU of every rank that has a place, in the order of ranks. sim/fabric/placement.md
[[nodiscard]] std::vector<GpuId> place(const Fabric& fabric, const spec::PlacementSpec& placement,
                                       std::uint64_t seed);

}  // namespace sim::fabric

#pragma once

#include <vector>

#include "collective/schedule.hpp"
#include "core/id.hpp"
#include "replay/lowering.hpp"
#include "replay/machine.hpp"

namespace sim::replay
{

/// Gives `lowered` the steps of the schedule's rings (planned with their hops), the uses of the
/// hops, and the lower bound of this fidelity. sim/replay/fidelity.md derives the bound.
void lower_chunks(LoweredCollective& lowered, const collective::Schedule& schedule,
                  const std::vector<GpuId>& members, const Machine& machine);

}  // namespace sim::replay

#pragma once

#include "collective/schedule.hpp"
#include "replay/lowering.hpp"
#include "replay/machine.hpp"

namespace sim::replay
{

/// Adds the flow with its links and memories replaced by engine resources. Where routes change
/// while the job runs, its network routes stay apart from its other uses.
void append_flow(LoweredCollective& lowered, const collective::Flow& flow, const Machine& machine);

}  // namespace sim::replay

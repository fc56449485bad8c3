#pragma once

#include "replay/run.hpp"
#include "spec/experiment.hpp"

namespace sim::replay
{

/// What lies in each tier over the step: what was watched to come and go, and what the footprint
/// and the tiers hold all the time. Empty when the run was not watched.
[[nodiscard]] MemoryOverTime memory_over_time(const spec::ExperimentSpec& experiment,
                                              const Result& result);

}  // namespace sim::replay

#pragma once

#include "replay/run.hpp"
#include "results/document.hpp"

namespace sim::results
{

/// What lies in each tier over the step, of a watched run of a model.
[[nodiscard]] Group memory_over_time_group(const replay::MemoryOverTime& memory);

}  // namespace sim::results

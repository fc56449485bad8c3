#pragma once

#include "config/map_reader.hpp"
#include "spec/trace.hpp"

namespace sim::config
{

/// The mapping `trace` of an experiment: a recorded job in place of `workload`.
[[nodiscard]] spec::TraceSpec read_trace(MapReader reader);

}  // namespace sim::config

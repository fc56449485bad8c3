#pragma once

#include <cstdint>

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "spec/workload.hpp"

namespace sim::config
{

/// The mapping `workload` of an experiment on `ranks` GPUs; reads the model file it names.
[[nodiscard]] spec::WorkloadSpec read_workload(MapReader reader, Documents& documents,
                                               std::int64_t ranks);

}  // namespace sim::config

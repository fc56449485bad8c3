#pragma once

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "spec/cluster.hpp"

namespace sim::config
{

/// The mapping `cluster` of an experiment.
[[nodiscard]] spec::ClusterSpec read_cluster(MapReader reader, Documents& documents);

}  // namespace sim::config

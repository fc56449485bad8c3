#pragma once

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "spec/cluster.hpp"

namespace sim::config
{

/// The key `placement` of a cluster that has been read otherwise: a word, or a mapping with the
/// order and what is moved about, or with hosts in Slurm's spelling.
[[nodiscard]] spec::PlacementSpec read_placement(MapReader& cluster, Documents& documents,
                                                 const spec::ClusterSpec& spec);

}  // namespace sim::config

#pragma once

#include "formats/simgrid_xml.hpp"

namespace sim::formats
{

/// "levels;down,..;up,..;cables,..". Two levels whose nodes have one cable are a leaf_spine, one
/// level a single_switch; all others are listed cable by cable.
[[nodiscard]] Topology simgrid_fat_tree(SimgridFile file, const SimgridCluster& cluster);

/// "3,2,2". Hosts of SimGrid's torus are joined without switches: a switch each stands for them,
/// with a NIC as fast as all links of the host together.
[[nodiscard]] Topology simgrid_torus(SimgridFile file, const SimgridCluster& cluster);

/// "groups,links;chassis,links;routers,links;nodes". Groups of one chassis, or with one router a
/// chassis, are fully joined and thus a dragonfly; all others are listed cable by cable.
[[nodiscard]] Topology simgrid_dragonfly(SimgridFile file, const SimgridCluster& cluster);

/// "2;4,4;1,2;1,2" as numbers, part by part; complains and gives nothing when one is not a number
/// above 0.
[[nodiscard]] std::vector<std::vector<int>> simgrid_parameters(SimgridFile file,
                                                               const SimgridCluster& cluster);

/// Complains when the shape has other places than the cluster has hosts.
bool simgrid_hosts_agree(SimgridFile file, const SimgridCluster& cluster, std::int64_t places);

}  // namespace sim::formats

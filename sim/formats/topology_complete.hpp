#pragma once

#include <string>

#include "formats/topology.hpp"
#include "formats/topology_write.hpp"

namespace sim::formats
{

/// Fills in from the options what the file left open. Throws InputError with everything that is
/// still missing and every option that contradicts the file; what is not written is warned of.
[[nodiscard]] Topology complete_topology(Topology topology, const TopologyParts& parts,
                                         const std::string& path);

[[nodiscard]] bool is_pcie_only(const spec::ScaleUp& scale_up);

}  // namespace sim::formats

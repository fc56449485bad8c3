#pragma once

#include <string_view>

#include "formats/topology.hpp"
#include "formats/topology_source.hpp"

namespace sim::formats
{

/// One reader a format. Each fills what its format knows and leaves its complaints in the source;
/// the result counts only when there is no error among them.
[[nodiscard]] Topology read_ibnetdiscover(TopologySource& source);
[[nodiscard]] Topology read_nvidia_smi(TopologySource& source);
[[nodiscard]] Topology read_simai(TopologySource& source);
[[nodiscard]] Topology read_slurm(TopologySource& source);
[[nodiscard]] Topology read_topograph(TopologySource& source);
[[nodiscard]] Topology read_astra(TopologySource& source, std::optional<int> inner_dimensions);
[[nodiscard]] Topology read_nccl(TopologySource& source);
[[nodiscard]] Topology read_simgrid(TopologySource& source);

/// The word of the format the text looks like, or empty.
[[nodiscard]] std::string_view recognise_topology(const TopologySource& source);

}  // namespace sim::formats

#include "fabric/blocks.hpp"

#include <fmt/format.h>

#include "fabric/network_parts.hpp"

namespace sim::fabric
{

int count_blocks(const spec::ClusterSpec& cluster, const BlockDemand& demand,
                 Diagnostics& diagnostics)
{
    const int blocks = (cluster.nodes + demand.nodes - 1) / demand.nodes;
    if (blocks > 1 && cluster.nodes % demand.nodes != 0) {
        complain(diagnostics, demand.key,
                 fmt::format("{} nodes do not fill {} of {}", cluster.nodes, demand.plural,
                             demand.nodes),
                 fmt::format("choose nodes and {} so that they do", demand.key));
    }
    return blocks;
}

std::optional<Bandwidth> half_of_blocks(const spec::ClusterSpec& cluster, const ClosShape& shape,
                                        int blocks, double parts)
{
    const auto nics = half_of_the_nics(cluster);
    if (cluster.nodes % 2 != 0 || (blocks > 1 && blocks % 2 != 0)) {
        return std::nullopt;
    }
    if (blocks == 1) {
        return nics;
    }
    const auto half = clos_half(shape, nics / parts, cluster.node.nic.efficiency);
    return half ? std::optional{*half * parts} : std::nullopt;
}

}  // namespace sim::fabric

#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "fabric/clos.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Nodes that share first switches, as a description asks for them.
struct BlockDemand {
    int nodes = 0;       ///< of a block
    std::string key;     ///< of cluster.fabric that says so
    const char* plural;  ///< what the blocks are called in words
};

/// How many blocks the nodes make. A single one may be part full; a last one that is part full
/// beside full ones would have more uplink per node than they, and is complained about.
[[nodiscard]] int count_blocks(const spec::ClusterSpec& cluster, const BlockDemand& demand,
                               Diagnostics& diagnostics);

/// Payload between the halves of `blocks` blocks under `parts` equal Clos networks, one way;
/// nothing when a block would be cut.
[[nodiscard]] std::optional<Bandwidth> half_of_blocks(const spec::ClusterSpec& cluster,
                                                      const ClosShape& shape, int blocks,
                                                      double parts);

}  // namespace sim::fabric

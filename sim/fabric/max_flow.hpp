#pragma once

#include <vector>

#include "fabric/fabric.hpp"

namespace sim::fabric
{

enum class Side { source, sink, neither };

/// Most payload per second that the NICs of the source nodes can send to those of the sink nodes at
/// once, however routed: by max-flow min-cut the capacity of the narrowest cut between them.
[[nodiscard]] Bandwidth max_flow(const Fabric& fabric, const std::vector<Side>& side_of_node);

/// Between the first and the second half of the nodes; of an odd number the middle one idles.
[[nodiscard]] Bandwidth max_flow_bisection(const Fabric& fabric);

}  // namespace sim::fabric

#pragma once

#include <functional>

#include "fabric/fabric.hpp"

namespace sim::fabric
{

/// Factors of what a link has.
struct LinkFactors {
    double bandwidth = 1;
    double latency = 1;
};

/// The same fabric with other links: ids, names and routes stay, except where a route depends on
/// how links compare.
[[nodiscard]] Fabric scaled(Fabric fabric, const std::function<LinkFactors(LinkKind)>& factors);

}  // namespace sim::fabric

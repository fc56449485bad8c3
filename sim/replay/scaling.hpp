#pragma once

#include <array>

#include "replay/resource_kind.hpp"
#include "spec/cluster.hpp"

namespace sim::replay
{

/// A machine like another but for the capacity of whole classes of resources: what a "what if"
/// question asks. SMs are scaled in speed, not in number.
struct Scaling {
    Scaling() { capacity.fill(1); }

    std::array<double, kResourceKinds> capacity{};  ///< factor of each class
    double latency = 1;               ///< factor of links', the library's and launches' latencies
    bool free_communication = false;  ///< collectives are meetings that move nothing

    [[nodiscard]] double of(ResourceKind kind) const
    {
        return capacity[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] bool changes_links() const;
};

/// The cluster with what does not depend on its links scaled: GPUs, and the library's latencies.
[[nodiscard]] spec::ClusterSpec scaled(spec::ClusterSpec cluster, const Scaling& scaling);

}  // namespace sim::replay

#pragma once

#include <cstdint>
#include <vector>

#include "collective/flow.hpp"
#include "collective/rings.hpp"
#include "collective/tuning.hpp"

namespace sim::collective
{

/// Everything the flows of one collective follow from.
struct Situation {
    const fabric::Fabric& fabric;
    const FlowBuilder& flows;
    const spec::ClusterSpec& cluster;
    const Request& request;
    std::vector<NodeGroup> nodes;

    /// What the library weighs, where the cluster describes it.
    [[nodiscard]] const std::optional<spec::CollectiveTuning>& tuning() const
    {
        return cluster.collective.tuning;
    }
    /// Of the larger buffer of a member.
    [[nodiscard]] double bytes() const { return static_cast<double>(request.size.base()); }
    /// Tells the flows of one communicator apart.
    [[nodiscard]] std::uint64_t label(std::size_t flow) const;
};

[[nodiscard]] GroupShape group_shape(const Situation& situation);

}  // namespace sim::collective

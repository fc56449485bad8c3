#pragma once

#include <optional>
#include <vector>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// One direction of a cable carries nothing in between.
struct DeadTime {
    LinkId link;
    Time from{};
    std::optional<Time> until{};
};

/// From `at` on, routes avoid these links.
struct RoutingEpoch {
    Time at{};
    std::vector<char> dead;  ///< by link
};

/// Both directions of every cable that the outages name; those of one link do not overlap and are
/// in order. A part that the fabric does not have is an InputError.
[[nodiscard]] std::vector<DeadTime> dead_times(const Fabric& fabric,
                                               const std::vector<spec::Outage>& outages);

/// What routing knows, `convergence` after it happened, in order of time; before the first, all
/// links are used. What is over before it is known changes nothing.
[[nodiscard]] std::vector<RoutingEpoch> routing_epochs(const Fabric& fabric,
                                                       const std::vector<DeadTime>& dead_times,
                                                       Time convergence);

/// An InputError that names every NIC which an epoch leaves without a way to NICs that it reached
/// before.
void expect_connected(const Fabric& fabric, const std::vector<RoutingEpoch>& epochs);

}  // namespace sim::fabric

#pragma once

#include <optional>

#include "core/quantity.hpp"
#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// What a leaf-spine network consists of; every leaf is wired alike.
struct LeafSpineCounts {
    int leaves = 0;
    int downlinks = 0;  ///< ports of a leaf towards NICs
    int uplinks = 0;    ///< ports of a leaf towards spines; 0 when one leaf is all there is
    int spines = 0;
    int cables_per_pair = 0;  ///< parallel cables between a leaf and a spine
    Bandwidth uplink{};       ///< line rate of one of them
};

/// Counts by the equations of sim/fabric/leaf_spine.md. Throws InputError with every port, capacity
/// and divisibility the description asks for in vain.
[[nodiscard]] LeafSpineCounts leaf_spine_counts(const spec::ClusterSpec& cluster);

/// Joins the NICs of the nodes already in `fabric`; node n is on leaf n / nodes_per_leaf.
void add_leaf_spine(Fabric& fabric, const spec::ClusterSpec& cluster);

/// Payload between the first and the second half of the nodes, one way; nothing when a leaf would
/// be cut.
[[nodiscard]] std::optional<Bandwidth> leaf_spine_bisection(const spec::ClusterSpec& cluster);

}  // namespace sim::fabric

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "spec/collective.hpp"
#include "spec/event.hpp"
#include "spec/fabric.hpp"
#include "spec/node.hpp"
#include "spec/outage.hpp"
#include "spec/placement.hpp"

namespace sim::spec
{

/// What a cluster costs beside time; whoever leaves something out is not told what depends on it.
struct ClusterCosts {
    std::optional<Power> node_power{};  ///< of a node at full load, without its GPUs
    double pue = 1;                     ///< power of the site / power of its computers
    std::optional<Money> gpu_hour{};    ///< rent of one GPU for an hour
    friend bool operator==(const ClusterCosts&, const ClusterCosts&) = default;
};

/// Nodes of one kind joined by one fabric; a custom fabric may make some of them larger.
struct ClusterSpec {
    std::string name{};
    int nodes = 0;
    NodeSpec node{};
    FabricSpec fabric{};
    CollectiveSpec collective{};
    std::vector<CapacityEvent> events{};
    std::vector<Outage> outages{};
    PlacementSpec placement{};
    ClusterCosts costs{};
    friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

/// GPUs of all nodes together.
[[nodiscard]] std::int64_t gpu_count(const ClusterSpec& cluster);

/// GPUs that ranks may run on: all, or those of the hosts that are listed.
[[nodiscard]] std::int64_t placed_gpus(const ClusterSpec& cluster);

/// What node `index` is called, as the vertices of its GPUs are.
[[nodiscard]] std::string node_name(const ClusterSpec& cluster, int index);

/// Node `index` with its own number of GPUs and NICs.
[[nodiscard]] NodeSpec node_of(const ClusterSpec& cluster, int index);

/// Routes are hashed, or ranks placed at random: an answer is one draw.
[[nodiscard]] bool depends_on_seed(const ClusterSpec& cluster);

[[nodiscard]] Diagnostics validate(const ClusterSpec& cluster, const std::string& key);

}  // namespace sim::spec

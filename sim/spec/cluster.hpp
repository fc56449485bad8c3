#pragma once

#include <cstdint>
#include <string>

#include "core/diagnostics.hpp"
#include "spec/collective.hpp"
#include "spec/event.hpp"
#include "spec/fabric.hpp"
#include "spec/node.hpp"

namespace sim::spec
{

/// Nodes of one kind joined by one fabric; a custom fabric may make some of them larger.
struct ClusterSpec {
    std::string name{};
    int nodes = 0;
    NodeSpec node{};
    FabricSpec fabric{};
    CollectiveSpec collective{};
    std::vector<CapacityEvent> events{};
};

/// GPUs of all nodes together.
[[nodiscard]] std::int64_t gpu_count(const ClusterSpec& cluster);

/// Node `index` with its own number of GPUs and NICs.
[[nodiscard]] NodeSpec node_of(const ClusterSpec& cluster, int index);

[[nodiscard]] Diagnostics validate(const ClusterSpec& cluster, const std::string& key);

}  // namespace sim::spec

#pragma once

#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"

namespace sim::spec
{

/// From `at` on (0 is the start of the first simulated step) a resource of the machine has another
/// capacity: it fails, is throttled or returns. Routes do not change.
struct CapacityEvent {
    Time at{};
    std::string resource{};  ///< "node3/nic2->leaf0", "node0/gpu5/hbm", "node0/gpu5/sm"
    double capacity = 1;     ///< share of its own, in [0, 1]; 0 is dead
    friend bool operator==(const CapacityEvent&, const CapacityEvent&) = default;
};

/// Whether the machine has the resource is known to whoever builds it.
[[nodiscard]] Diagnostics validate(const std::vector<CapacityEvent>& events,
                                   const std::string& key);

}  // namespace sim::spec

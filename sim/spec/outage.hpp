#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"

namespace sim::spec
{

/// A part of the network carries nothing from one instant to another: a link with the other
/// direction of its cable, or all cables of a switch or NIC. sim/fabric/outages.md
struct Outage {
    std::string part{};  ///< "leaf0->spine1", "spine1", "node3/nic2"
    Time from{};
    std::optional<Time> until{};  ///< absent: for good
    friend bool operator==(const Outage&, const Outage&) = default;
};

/// Whether the machine has the part is known to whoever builds it.
[[nodiscard]] Diagnostics validate(const std::vector<Outage>& outages, const std::string& key);

}  // namespace sim::spec

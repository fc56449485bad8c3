#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collective/situation.hpp"

namespace sim::collective
{

[[nodiscard]] bool is_hierarchical(Algorithm algorithm);

/// Inside the nodes, over rails, and inside the nodes again.
[[nodiscard]] std::vector<Phase> hierarchical_phases(const Situation& situation,
                                                     Algorithm algorithm);

/// Why the group has not the levels, given equal nodes; nothing when it has.
[[nodiscard]] std::optional<std::string> refuse_levels(const Situation& situation,
                                                       Algorithm algorithm);

}  // namespace sim::collective

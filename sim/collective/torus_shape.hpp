#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collective/situation.hpp"

namespace sim::collective
{

/// Rings along every dimension, one dimension after another; as many parts of the buffer as there
/// are dimensions start with a different one each, so that all cables work all the time.
[[nodiscard]] std::vector<Phase> torus_phases(const Situation& situation);

/// Why the group has no dimensions; nothing when it has.
[[nodiscard]] std::optional<std::string> refuse_torus(const Situation& situation);

}  // namespace sim::collective

#pragma once

#include <optional>
#include <string>

#include "collective/situation.hpp"

namespace sim::collective
{

/// Why the algorithm cannot do it, as "needs ..."; nothing when it can.
[[nodiscard]] std::optional<std::string> refusal(const Situation& situation, Algorithm algorithm);

}  // namespace sim::collective

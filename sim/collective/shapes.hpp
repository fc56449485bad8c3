#pragma once

#include <vector>

#include "collective/situation.hpp"

namespace sim::collective
{

/// The phases of `algorithm`, which must not be refused. Latencies are those of the wires alone.
[[nodiscard]] std::vector<Phase> phases(const Situation& situation, Algorithm algorithm);

/// True when the phases are one pipeline, so that a library's tuning knows its cost.
[[nodiscard]] bool is_pipeline(Kind kind, Algorithm algorithm);

}  // namespace sim::collective

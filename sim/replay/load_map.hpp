#pragma once

#include <vector>

#include "replay/instances.hpp"
#include "replay/machine.hpp"
#include "replay/observed.hpp"

namespace sim::replay
{

/// Boxes of one tier that a picture has room for.
inline constexpr std::size_t kMostBoxes = 32;

/// The network and how its links were used over the step. Of a tier that has more than kMostBoxes,
/// as many neighbours as it takes are one box; cables between the same two boxes are one way.
[[nodiscard]] LoadMap load_map(const Machine& machine, const Instances& instances,
                               const std::vector<double>& served, Time step);

}  // namespace sim::replay

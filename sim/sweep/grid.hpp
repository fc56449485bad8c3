#pragma once

#include <vector>

#include "config/load.hpp"
#include "spec/experiment.hpp"

namespace sim::sweep
{

/// What each point sets, in grid order: the first axis slowest.
[[nodiscard]] std::vector<std::vector<config::Override>> grid(const std::vector<spec::Axis>& axes);

}  // namespace sim::sweep

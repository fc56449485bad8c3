#pragma once

#include <string>
#include <vector>

namespace sim::engine
{

/// Every SimGrid option we set, "key:value" each, in SimGrid 3.32's names.
[[nodiscard]] std::vector<std::string> simgrid_options();

/// Dates closer than this to the clock's reading `at` (seconds) count as that instant.
[[nodiscard]] double simgrid_precision(double at);

}  // namespace sim::engine

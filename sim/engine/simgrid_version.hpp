#pragma once

#include <string>

namespace sim::engine
{

[[nodiscard]] std::string simgrid_version();  ///< "3.32.0"

}  // namespace sim::engine

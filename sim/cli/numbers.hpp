#pragma once

#include <string>

namespace sim::cli
{

[[nodiscard]] std::string percent(double share);  ///< 0.4 -> "40.0 %"
[[nodiscard]] std::string seconds(double time);   ///< 0.0123 -> "12.3 ms"

}  // namespace sim::cli

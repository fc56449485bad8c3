#pragma once

#include <string>

namespace sim::cli
{

/// "weftsim 0.1.0 (commit)", then the compiler and every library that is linked, one a line.
[[nodiscard]] std::string version_text();

}  // namespace sim::cli

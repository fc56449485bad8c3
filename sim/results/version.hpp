#pragma once

#include <string>

namespace sim::results
{

[[nodiscard]] std::string version();  ///< "0.1.0"

/// The commit the build was configured at; "unknown" outside a repository.
[[nodiscard]] std::string git_sha();

}  // namespace sim::results

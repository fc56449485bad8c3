#pragma once

#include <string>

namespace sim::results
{

[[nodiscard]] std::string version();  ///< "0.1.0"

/// The commit the build was configured at; "unknown" outside a repository.
[[nodiscard]] std::string git_sha();

[[nodiscard]] std::string hdf5_version();

/// Of the library reports inline; "none" when it was not there at the build.
[[nodiscard]] std::string echarts_version();

}  // namespace sim::results

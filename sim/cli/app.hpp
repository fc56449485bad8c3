#pragma once

#include <string>
#include <vector>

namespace sim::cli
{

/// The whole program: arguments without its name to exit code (DESIGN 2.6). Where exceptions end.
[[nodiscard]] int run(const std::vector<std::string>& arguments);

}  // namespace sim::cli

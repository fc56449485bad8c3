#pragma once

#include "cli/commands.hpp"

namespace sim::cli
{

/// `weftsim validate steps`.
[[nodiscard]] Action add_validate_steps(CLI::App& command);

}  // namespace sim::cli

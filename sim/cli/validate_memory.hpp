#pragma once

#include "cli/commands.hpp"

namespace sim::cli
{

/// `weftsim validate memory`: adds it to `validate`.
[[nodiscard]] Action add_validate_memory(CLI::App& validate);

}  // namespace sim::cli

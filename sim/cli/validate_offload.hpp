#pragma once

#include "cli/commands.hpp"

namespace sim::cli
{

/// `weftsim validate offload`: adds it to `validate`.
[[nodiscard]] Action add_validate_offload(CLI::App& validate);

}  // namespace sim::cli

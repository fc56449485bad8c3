#pragma once

#include "cli/commands.hpp"

namespace sim::cli
{

/// The part of `import` that reads other tools' topology files.
[[nodiscard]] Action add_import_topology(CLI::App& import_command);
/// The part that reads training frameworks' files.
[[nodiscard]] Action add_import_plan(CLI::App& import_command);

/// The part of `import` that looks into recorded jobs.
[[nodiscard]] Action add_import_trace(CLI::App& import_command);

}  // namespace sim::cli

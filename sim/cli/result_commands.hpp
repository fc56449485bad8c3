#pragma once

#include "cli/commands.hpp"

namespace sim::cli
{

/// Of what is made already, and of the program itself; each as in commands.hpp.
[[nodiscard]] Action add_report(CLI::App& program);
[[nodiscard]] Action add_compare(CLI::App& program);
[[nodiscard]] Action add_plot(CLI::App& program);
[[nodiscard]] Action add_completion(CLI::App& program);
[[nodiscard]] Action add_man(CLI::App& program);

}  // namespace sim::cli

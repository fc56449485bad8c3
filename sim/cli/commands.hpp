#pragma once

#include <functional>

namespace CLI
{
class App;
}

namespace sim::cli
{

/// What a command does once its arguments are read; gives the exit code.
using Action = std::function<int()>;

/// Each adds one command to the program and returns what it does.
[[nodiscard]] Action add_run(CLI::App& program);
[[nodiscard]] Action add_sweep(CLI::App& program);
[[nodiscard]] Action add_check(CLI::App& program);
[[nodiscard]] Action add_fit(CLI::App& program);
[[nodiscard]] Action add_comm(CLI::App& program);
[[nodiscard]] Action add_memory(CLI::App& program);
[[nodiscard]] Action add_copy(CLI::App& program);
[[nodiscard]] Action add_validate(CLI::App& program);
[[nodiscard]] Action add_topology(CLI::App& program);
[[nodiscard]] Action add_import(CLI::App& program);
[[nodiscard]] Action add_export(CLI::App& program);
[[nodiscard]] Action add_explain(CLI::App& program);
[[nodiscard]] Action add_report(CLI::App& program);
[[nodiscard]] Action add_compare(CLI::App& program);
[[nodiscard]] Action add_plot(CLI::App& program);
[[nodiscard]] Action add_completion(CLI::App& program);
[[nodiscard]] Action add_man(CLI::App& program);

}  // namespace sim::cli

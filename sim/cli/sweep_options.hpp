#pragma once

#include <string>

#include "cli/options.hpp"
#include "sweep/execute.hpp"

namespace sim::cli
{

/// What only `sweep` understands.
struct SweepOptions {
    CommonOptions common;
    int workers = 0;  ///< 0: one a core
    std::string timeout;
    std::string memory;
    std::string part;  ///< "3/8"
    bool resume = false;
    bool fresh = false;
    bool collect = false;
    bool dry_run = false;
};

void add_sweep_options(CLI::App& command, SweepOptions& options);

/// Throws InputError for what cannot be read.
[[nodiscard]] sweep::Limits limits(const SweepOptions& options);
[[nodiscard]] sweep::Part part(const SweepOptions& options);
[[nodiscard]] int workers(const SweepOptions& options);

}  // namespace sim::cli

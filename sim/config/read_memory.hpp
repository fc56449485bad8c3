#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "spec/memory.hpp"

namespace sim::config
{

struct LoadedDram {
    spec::DramSpec spec;
    Diagnostics warnings;    ///< what is odd but not wrong
    std::string input_text;  ///< every file read, verbatim
};

/// Reads and validates one device of configs/hardware/memory. Throws InputError.
[[nodiscard]] LoadedDram load_dram(const std::string& path, const std::vector<Override>& overrides);

/// Reads and validates one GPU of configs/hardware/memory/gpu. Throws InputError.
[[nodiscard]] spec::GpuMemorySpec load_gpu_memory(const std::string& path,
                                                  const std::vector<Override>& overrides);

}  // namespace sim::config

#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/map_reader.hpp"
#include "spec/memory.hpp"

namespace sim::config
{

struct LoadedDram {
    spec::DramSpec spec;
    Diagnostics warnings;    ///< what is odd but not wrong
    std::string input_text;  ///< every file read, verbatim
};

/// A device, in any section that holds one; not validated.
[[nodiscard]] spec::DramSpec read_dram(MapReader reader);
/// The HBM of a GPU as its stacks; not validated.
[[nodiscard]] spec::GpuHbmSpec read_hbm(MapReader reader);
/// A GPU's memory with what is known of the GPU; not validated.
[[nodiscard]] spec::GpuMemorySpec read_gpu_memory(MapReader reader);

/// Reads and validates one device of configs/hardware/memory. Throws InputError.
[[nodiscard]] LoadedDram load_dram(const std::string& path, const std::vector<Override>& overrides);

/// Reads and validates one GPU of configs/hardware/memory/gpu. Throws InputError.
[[nodiscard]] spec::GpuMemorySpec load_gpu_memory(const std::string& path,
                                                  const std::vector<Override>& overrides);

/// Reads and validates one file of configs/hardware/memory/stacks. Throws InputError.
[[nodiscard]] spec::GpuHbmSpec load_hbm(const std::string& path,
                                        const std::vector<Override>& overrides);

}  // namespace sim::config

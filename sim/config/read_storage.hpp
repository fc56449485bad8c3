#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/map_reader.hpp"
#include "spec/ssd.hpp"

namespace sim::config
{

/// What a file of configs/hardware/memory or configs/hardware/ssd describes, by its keys.
enum class DeviceKind { dram, gpu_memory, ssd, hdd };

/// `flash:` makes an SSD, `revolution:` a hard disk, `dram:` a GPU's memory; else a DRAM device.
[[nodiscard]] DeviceKind device_kind(const std::string& path,
                                     const std::vector<Override>& overrides);

template <class Spec>
struct LoadedStorage {
    Spec spec;
    Diagnostics warnings;
    std::string input_text;  ///< every file read, verbatim
};

/// A drive, in any section that holds one; not validated.
[[nodiscard]] spec::SsdSpec read_ssd(MapReader reader);
[[nodiscard]] spec::HddSpec read_hdd(MapReader reader);

/// Read and validate one drive. Throw InputError.
[[nodiscard]] LoadedStorage<spec::SsdSpec> load_ssd(const std::string& path,
                                                    const std::vector<Override>& overrides);
[[nodiscard]] LoadedStorage<spec::HddSpec> load_hdd(const std::string& path,
                                                    const std::vector<Override>& overrides);

}  // namespace sim::config

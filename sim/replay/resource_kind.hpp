#pragma once

#include <cstddef>
#include <cstdint>

namespace sim::replay
{

/// The classes an architect upgrades; utilisation is reported per class.
enum class ResourceKind : std::uint8_t {
    sm,
    hbm,
    nvlink,
    pcie,
    nic,
    leaf_spine,
    spine_core,
    peer,
    global,
    socket,
    c2c,
    dram,
    cxl,
    pool,
    drive,
    cores  ///< of the CPUs, in bytes/s of memory that they keep up with
};
inline constexpr std::size_t kResourceKinds = 16;

[[nodiscard]] const char* name(ResourceKind kind);

}  // namespace sim::replay

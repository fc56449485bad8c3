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
    drive
};
inline constexpr std::size_t kResourceKinds = 15;

[[nodiscard]] const char* name(ResourceKind kind);

}  // namespace sim::replay

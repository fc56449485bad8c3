#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/memory.hpp"
#include "spec/ssd.hpp"

namespace sim::spec
{

/// Where a rank's data may lie: its GPU's memory, its node's DRAM, memory it shares with other
/// nodes, its node's drives, a file system that all nodes share.
enum class DataTier : std::uint8_t { hbm, dram, pool, storage, files };
inline constexpr std::size_t kDataTiers = 5;
[[nodiscard]] const char* tier_name(DataTier tier);

/// A way to or between sockets that is not a PCIe slot.
struct HostLinkSpec {
    Bandwidth bandwidth{};  ///< payload, per direction
    Time latency{};         ///< one crossing
    friend bool operator==(const HostLinkSpec&, const HostLinkSpec&) = default;
};

/// Whose memory the host pages lie in that a GPU copies from or to.
enum class Pages : std::uint8_t {
    local,        ///< that of the GPU's socket
    interleaved,  ///< that of every socket it reaches, evenly
};

/// The DRAM of every socket.
struct HostDramSpec {
    DramSpec module{};
    int modules = 0;         ///< of one socket
    double read_factor = 0;  ///< saturated reads, measured over modelled, in (0, 1]
    Bytes capacity{};        ///< of one socket, as far as processes can allocate it
    Pages pages = Pages::local;
    friend bool operator==(const HostDramSpec&, const HostDramSpec&) = default;
};

/// The cores of a socket, as far as they work on what is offloaded.
struct HostCpuSpec {
    int cores = 0;
    Bandwidth core_bandwidth{};  ///< of memory, read and written, that one core keeps up with
    friend bool operator==(const HostCpuSpec&, const HostCpuSpec&) = default;
};

/// Equal drives, over which every file is striped.
struct StorageSpec {
    SsdSpec drive{};
    int count = 0;
    std::vector<int> socket_of_drive{};
    /// The PCIe switch each hangs under, by the NIC it shares it with; empty: the sockets' own
    /// ports.
    std::vector<int> nic_of_drive{};
    std::optional<int> queue_depth{};  ///< requests a copy keeps waiting; absent: enough
    friend bool operator==(const StorageSpec&, const StorageSpec&) = default;
};

/// Memory behind a link of its own, such as CXL.
struct PoolSpec {
    HostLinkSpec link{};    ///< of a node, at its first socket
    Bandwidth bandwidth{};  ///< of the memory, for all its nodes together
    Bytes capacity{};
    int nodes = 0;  ///< that share one; 0: all
    friend bool operator==(const PoolSpec&, const PoolSpec&) = default;
};

/// A parallel file system that every node reaches through its NICs.
struct FileSystemSpec {
    Bandwidth read{};  ///< of its servers, for all nodes together
    Bandwidth write{};
    Time latency{};  ///< of a request, beside the network's
    Bytes capacity{};
    friend bool operator==(const FileSystemSpec&, const FileSystemSpec&) = default;
};

[[nodiscard]] Diagnostics validate(const HostDramSpec& dram, const std::string& key);
[[nodiscard]] Diagnostics validate(const HostCpuSpec& cpu, const std::string& key);
[[nodiscard]] Diagnostics validate(const PoolSpec& pool, const std::string& key);
[[nodiscard]] Diagnostics validate(const FileSystemSpec& files, const std::string& key);
/// What the drives may hang on.
struct DrivePlaces {
    int sockets = 0;
    int switches = 0;  ///< PCIe switches of the NICs; 0: there are none
    friend bool operator==(const DrivePlaces&, const DrivePlaces&) = default;
};
[[nodiscard]] Diagnostics validate(const StorageSpec& storage, const DrivePlaces& places,
                                   const std::string& key);

}  // namespace sim::spec

#pragma once

#include <string>
#include <vector>

#include "core/quantity.hpp"

namespace sim::memory
{

/// The memories of one node and the ways between them, as capacities: bytes/s of each part.
/// DRAM is one resource a socket (all its channels); a GPU and a drive hang on one socket.
struct NodeTiers {
    struct Memory {
        Bandwidth peak{};
        double read = 1;  ///< achieved over peak of a stream, by the class table
        double write = 1;
        double copy = 1;
    };
    struct Gpu {
        Memory hbm{};
        Bandwidth slot{};  ///< PCIe or C2C, each direction
        std::size_t socket = 0;
    };
    struct Drive {
        Bandwidth read{};
        Bandwidth write{};
        Bandwidth slot{};
        std::size_t socket = 0;
    };
    std::vector<Memory> sockets{};
    std::vector<Gpu> gpus{};
    std::vector<Drive> drives{};
    Bandwidth socket_link{};  ///< between two sockets, each direction
    Bandwidth pool_link{};    ///< of the node to memory it shares with others; 0: none
    Memory pool{};            ///< of all nodes together
};

/// A part of the node, with its capacity.
struct TierResource {
    std::string name{};  ///< "gpu0/hbm", "socket1/dram", "drive2/read", "pool"
    double capacity = 0;
};

/// How much of a part a byte of a copy takes.
struct TierCrossing {
    std::size_t resource = 0;  ///< place in TierPaths::resources
    double consumption = 1;
};

/// An end of a copy.
struct TierEnd {
    enum class Kind { hbm, dram, drive, pool };
    Kind kind = Kind::dram;
    std::size_t index = 0;  ///< of the GPU, the socket or the drive
};

/// What every copy crosses. A copy is one activity over all of it, so that offloading, loading and
/// whatever else goes through the same DRAM, slot or socket link share it. A byte read of a memory
/// takes peak/achieved of it: what its class of accesses reaches is consumption, not a second
/// capacity.
class TierPaths
{
public:
    explicit TierPaths(const NodeTiers& node);

    [[nodiscard]] const std::vector<TierResource>& resources() const { return resources_; }
    /// Between different ends. `buffered`: through host DRAM also where none of the ends is in it,
    /// written once and read once.
    [[nodiscard]] std::vector<TierCrossing> copy(TierEnd from, TierEnd to, bool buffered) const;

private:
    enum class Way { in, out };

    std::size_t add(const std::string& name, Bandwidth capacity);
    void touch(std::vector<TierCrossing>& crossed, TierEnd end, Way way) const;
    [[nodiscard]] std::size_t socket_of(TierEnd end) const;

    NodeTiers node_;
    std::vector<TierResource> resources_;
    std::vector<std::size_t> dram_;
    std::vector<std::size_t> hbm_;
    std::vector<std::size_t> gpu_slot_;    ///< to the GPU; from it the next one
    std::vector<std::size_t> drive_read_;  ///< writes are the next one
    std::vector<std::size_t> drive_slot_;  ///< to the drive; from it the next one
    std::size_t socket_link_ = 0;          ///< upwards; the other way the next one
    std::size_t pool_link_ = 0;            ///< to the pool; from it the next one
    std::size_t pool_ = 0;
};

}  // namespace sim::memory

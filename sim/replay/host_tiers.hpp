#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "fabric/fabric.hpp"
#include "memory/ssd.hpp"
#include "replay/resource_kind.hpp"
#include "spec/cluster.hpp"

namespace sim::replay
{

/// What of the sockets' DRAM a byte takes: peak over achieved of its class of accesses.
struct DramShares {
    double read = 1;
    double write = 1;
    double buffer = 2;  ///< written and read again
};

/// A drive: its flash, which reads and writes share, and its slot, each way.
struct DriveResources {
    VertexId at;  ///< the socket or PCIe switch it hangs on
    ResourceId flash;
    ResourceId out;
    ResourceId in;
};

/// A node's way to a pooled memory, and the memory.
struct PoolResources {
    ResourceId memory;
    ResourceId to_socket;
    ResourceId from_socket;
};

/// The servers of a file system.
struct FileResources {
    ResourceId read;
    ResourceId write;
};

/// Everything that holds data besides the GPUs, as resources: the DRAM of every socket (peak
/// bytes/s) and its cores (bytes/s they keep up with), every drive's flash (bytes/s of reads) and
/// slot, every node's link to its pool, the pools, and the servers of the file system. Nothing of
/// what the cluster does not describe.
class HostTiers
{
public:
    struct Resource {
        std::string name;
        ResourceKind kind;
        double capacity;  ///< units/s
    };

    HostTiers() = default;
    /// Its resources have the ids `first` and following.
    HostTiers(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric, std::size_t first);

    [[nodiscard]] const std::vector<Resource>& resources() const { return resources_; }

    /// By place in Fabric::sockets; empty when the DRAM is not described.
    [[nodiscard]] const std::vector<ResourceId>& dram() const { return dram_; }
    /// By place in Fabric::sockets; empty when the CPUs are not described.
    [[nodiscard]] const std::vector<ResourceId>& cores() const { return cores_; }
    [[nodiscard]] const DramShares& dram_shares() const { return shares_; }
    /// Of all nodes, equally many each.
    [[nodiscard]] const std::vector<DriveResources>& drives() const { return drives_; }
    [[nodiscard]] const memory::FlashRates& flash() const { return flash_; }
    /// By node.
    [[nodiscard]] const std::vector<PoolResources>& pools() const { return pools_; }
    [[nodiscard]] const std::optional<FileResources>& files() const { return files_; }

private:
    ResourceId add(std::string name, ResourceKind kind, Bandwidth capacity);
    void add_dram(const spec::HostDramSpec& dram, const fabric::Fabric& fabric);
    void add_cores(const spec::HostCpuSpec& cpu, const fabric::Fabric& fabric);
    void add_drives(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric);
    void add_pools(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric);

    std::size_t first_ = 0;
    std::vector<Resource> resources_;
    std::vector<ResourceId> dram_;
    std::vector<ResourceId> cores_;
    DramShares shares_;
    std::vector<DriveResources> drives_;
    memory::FlashRates flash_;
    std::vector<PoolResources> pools_;
    std::optional<FileResources> files_;
};

}  // namespace sim::replay

#include "spec/tiers.hpp"

#include <fmt/format.h>

#include <array>

#include "spec/checker.hpp"

namespace sim::spec
{

const char* tier_name(DataTier tier)
{
    constexpr std::array<const char*, kDataTiers> kNames{"hbm", "dram", "pool", "storage"};
    return kNames[static_cast<std::size_t>(tier)];
}

Diagnostics validate(const HostDramSpec& dram, const std::string& key)
{
    auto diagnostics = validate(dram.module, key + ".module");
    Checker check{diagnostics, key};
    check.at_least("modules", dram.modules, 1);
    check.share("read_factor", dram.read_factor);
    check.positive("capacity", dram.capacity, "1 TiB");
    return diagnostics;
}

Diagnostics validate(const HostCpuSpec& cpu, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.at_least("cores", cpu.cores, 1);
    check.positive("core_bandwidth", cpu.core_bandwidth, "8 GB/s");
    return diagnostics;
}

Diagnostics validate(const StorageSpec& storage, int sockets, const std::string& key)
{
    auto diagnostics = validate(storage.drive, key + ".drive");
    Checker check{diagnostics, key};
    check.at_least("count", storage.count, 1);
    if (storage.count >= 1 &&
        storage.socket_of_drive.size() != static_cast<std::size_t>(storage.count)) {
        check.error("socket_of_drive",
                    fmt::format("has {} entries, but a node has {} drives",
                                storage.socket_of_drive.size(), storage.count),
                    "write a socket for each, from 0");
    }
    for (const int socket : storage.socket_of_drive) {
        if (socket < 0 || socket >= sockets) {
            check.error("socket_of_drive",
                        fmt::format("names socket {}, but there are {}", socket, sockets),
                        fmt::format("write an index from 0 to {}", sockets - 1));
        }
    }
    return diagnostics;
}

Diagnostics validate(const PoolSpec& pool, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.positive("link.bandwidth", pool.link.bandwidth, "64 GB/s");
    check.not_negative("link.latency", pool.link.latency);
    check.positive("bandwidth", pool.bandwidth, "200 GB/s");
    check.positive("capacity", pool.capacity, "4 TiB");
    check.at_least("nodes", pool.nodes, 0);
    return diagnostics;
}

}  // namespace sim::spec

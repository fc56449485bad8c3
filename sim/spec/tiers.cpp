#include "spec/tiers.hpp"

#include <fmt/format.h>

#include <array>

#include "spec/checker.hpp"

namespace sim::spec
{

namespace
{

struct PlaceWords {
    const char* key;
    const char* thing;
};

/// One of `things` for every drive.
void check_places(Checker& check, const StorageSpec& storage, const std::vector<int>& of,
                  const PlaceWords& words, int things)
{
    if (storage.count >= 1 && of.size() != static_cast<std::size_t>(storage.count)) {
        check.error(
            words.key,
            fmt::format("has {} entries, but a node has {} drives", of.size(), storage.count),
            fmt::format("write a {} for each, from 0", words.thing));
    }
    for (const int place : of) {
        if (place < 0 || place >= things) {
            check.error(words.key,
                        fmt::format("names {} {}, but there are {}", words.thing, place, things),
                        fmt::format("write an index from 0 to {}", things - 1));
        }
    }
}

}  // namespace

const char* tier_name(DataTier tier)
{
    constexpr std::array<const char*, kDataTiers> kNames{"hbm", "dram", "pool", "storage", "files"};
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

Diagnostics validate(const StorageSpec& storage, const DrivePlaces& places, const std::string& key)
{
    auto diagnostics = validate(storage.drive, key + ".drive");
    Checker check{diagnostics, key};
    check.at_least("count", storage.count, 1);
    check_places(check, storage, storage.socket_of_drive, {"socket_of_drive", "socket"},
                 places.sockets);
    if (!storage.nic_of_drive.empty() && places.switches == 0) {
        check.error("nic_of_drive", "puts drives under PCIe switches, but the host has none",
                    "leave it out, or write host.nic_under_switch: true");
    } else if (!storage.nic_of_drive.empty()) {
        check_places(check, storage, storage.nic_of_drive, {"nic_of_drive", "NIC"},
                     places.switches);
    }
    if (storage.queue_depth) {
        check.at_least("queue_depth", *storage.queue_depth, 1);
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

Diagnostics validate(const FileSystemSpec& files, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.positive("read", files.read, "500 GB/s");
    check.positive("write", files.write, "250 GB/s");
    check.not_negative("latency", files.latency);
    check.positive("capacity", files.capacity, "10 PB");
    return diagnostics;
}

}  // namespace sim::spec

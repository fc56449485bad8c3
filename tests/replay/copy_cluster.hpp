#pragma once

#include "config/read_memory.hpp"
#include "core/literals.hpp"
#include "memory/round_drive.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{

/// Of one PCIe Gen5 x16 slot without losses: 32 GT/s x 16 lanes x 128/130 / 8.
inline constexpr double kSlot = 32e9 * 16 * 128 / 130 / 8;

/// Of memory::round_drive(): eight dies a channel read 32 KiB in 50 us and program it in 505 us,
/// erasing included. Behind the link reads are bound by the channels,
/// 4 GB/s; writes by the dies: 32 x 32 KiB in 505 us.
inline constexpr double kFlashRead = 4e9;
inline constexpr double kFlashWrite = 32 * 32768 / 505e-6;

/// An ideal node whose GPUs share so many NICs, and with each NIC a PCIe switch under the one
/// socket; 8 modules of DDR5-4800 (307.2 GB/s) and so many drives on it.
inline spec::ClusterSpec tiered_cluster(int nodes, int gpus, int nics, int drives)
{
    using namespace sim::literals;
    auto cluster = ideal_cluster(nodes, gpus);
    auto& node = cluster.node;
    node.nics = nics;
    node.nic_of_gpu = spec::spread_evenly(gpus, nics);
    node.pcie.generation = 5;
    auto& host = node.host;
    host.sockets = 1;
    host.socket_of_gpu = spec::spread_evenly(gpus, 1);
    host.socket_of_nic = spec::spread_evenly(nics, 1);
    const std::string home = WEFTSIM_SOURCE_DIR;
    host.dram = spec::HostDramSpec{
        .module = config::load_dram(home + "/configs/hardware/memory/ddr5-4800.yaml", {}).spec,
        .modules = 8,
        .read_factor = 1,
        .capacity = 1_TB};
    if (drives > 0) {
        host.storage = spec::StorageSpec{.drive = memory::round_drive(),
                                         .count = drives,
                                         .socket_of_drive = spec::spread_evenly(drives, 1)};
    }
    return cluster;
}

}  // namespace sim::replay::test

#include "replay/host_tiers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/contract.hpp"
#include "memory/access_class.hpp"

namespace sim::replay
{

namespace
{

DramShares shares_of(const spec::HostDramSpec& dram)
{
    const auto classes =
        memory::cached_classes(dram.module, dram.read_factor, memory::cache_folder());
    return {1 / classes.of(memory::AccessClass::stream_read),
            1 / classes.of(memory::AccessClass::stream_write),
            2 / classes.of(memory::AccessClass::copy)};
}

struct DriveOfNode {
    std::size_t node = 0;
    std::size_t drive = 0;
};

/// A drive's socket, or the PCIe switch that it shares with a NIC.
VertexId place_of(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric, DriveOfNode of)
{
    const auto& host = cluster.node.host;
    const auto& storage = *host.storage;
    if (storage.nic_of_drive.empty()) {
        const auto sockets = static_cast<std::size_t>(host.sockets);
        return fabric.sockets[of.node * sockets +
                              static_cast<std::size_t>(storage.socket_of_drive[of.drive])];
    }
    const auto first =
        std::find(fabric.node_of_nic.begin(), fabric.node_of_nic.end(), NodeId{of.node});
    const auto nic = static_cast<std::size_t>(first - fabric.node_of_nic.begin()) +
                     static_cast<std::size_t>(storage.nic_of_drive[of.drive]);
    for (const auto id : fabric.graph.out_links(fabric.nics[nic])) {
        const auto next = fabric.graph.links()[id.index()].to;
        if (fabric.graph.vertices()[next.index()].kind == fabric::VertexKind::pcie_switch) {
            return next;
        }
    }
    throw ContractViolation{"a NIC under a PCIe switch has no link to it"};
}

}  // namespace

HostTiers::HostTiers(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric,
                     std::size_t first)
    : first_{first}
{
    const auto& host = cluster.node.host;
    if (host.dram) {
        add_dram(*host.dram, fabric);
    }
    if (host.cpu) {
        add_cores(*host.cpu, fabric);
    }
    if (host.storage) {
        add_drives(cluster, fabric);
    }
    if (host.pool) {
        add_pools(cluster, fabric);
    }
    if (host.files) {
        files_ = {add("files/read", ResourceKind::drive, host.files->read),
                  add("files/write", ResourceKind::drive, host.files->write)};
    }
}

ResourceId HostTiers::add(std::string name, ResourceKind kind, Bandwidth capacity)
{
    resources_.push_back({std::move(name), kind, capacity.base()});
    return ResourceId{first_ + resources_.size() - 1};
}

void HostTiers::add_dram(const spec::HostDramSpec& dram, const fabric::Fabric& fabric)
{
    shares_ = shares_of(dram);
    const auto peak = spec::pin_bandwidth(dram.module) * dram.modules;
    for (const auto socket : fabric.sockets) {
        dram_.push_back(
            add(fabric.graph.vertices()[socket.index()].name + "/dram", ResourceKind::dram, peak));
    }
}

void HostTiers::add_cores(const spec::HostCpuSpec& cpu, const fabric::Fabric& fabric)
{
    for (const auto socket : fabric.sockets) {
        cores_.push_back(add(fabric.graph.vertices()[socket.index()].name + "/cores",
                             ResourceKind::cores, cpu.core_bandwidth * cpu.cores));
    }
}

void HostTiers::add_drives(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric)
{
    const auto& storage = *cluster.node.host.storage;
    flash_ = memory::flash_rates(storage.drive);
    const auto slot = spec::link_bandwidth(storage.drive);
    for (std::size_t node = 0; node < fabric.nodes; ++node) {
        for (std::size_t i = 0; i < storage.socket_of_drive.size(); ++i) {
            const auto at = place_of(cluster, fabric, {node, i});
            const auto& place = fabric.graph.vertices()[at.index()].name;
            const auto drive =
                fmt::format("{}/drive{}", spec::node_name(cluster, static_cast<int>(node)), i);
            drives_.push_back({at, add(drive + "/flash", ResourceKind::drive, flash_.read),
                               add(fmt::format("{}->{}", drive, place), ResourceKind::pcie, slot),
                               add(fmt::format("{}->{}", place, drive), ResourceKind::pcie, slot)});
        }
    }
}

void HostTiers::add_pools(const spec::ClusterSpec& cluster, const fabric::Fabric& fabric)
{
    const auto& pool = *cluster.node.host.pool;
    const auto sockets = static_cast<std::size_t>(cluster.node.host.sockets);
    const auto sharers = pool.nodes == 0 ? fabric.nodes : static_cast<std::size_t>(pool.nodes);
    for (std::size_t node = 0; node < fabric.nodes; ++node) {
        const auto name = fmt::format("pool{}", node / sharers);
        const auto memory = node % sharers == 0
                                ? add(name + "/memory", ResourceKind::pool, pool.bandwidth)
                                : pools_.back().memory;
        const auto& socket = fabric.graph.vertices()[fabric.sockets[node * sockets].index()].name;
        pools_.push_back(
            {memory,
             add(fmt::format("{}->{}", name, socket), ResourceKind::cxl, pool.link.bandwidth),
             add(fmt::format("{}->{}", socket, name), ResourceKind::cxl, pool.link.bandwidth)});
    }
}

}  // namespace sim::replay

#include "spec/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/contract.hpp"

namespace sim::spec
{

namespace
{

constexpr int kFirstGeneration = 3;
constexpr int kLastGeneration = 7;

void check_links(Checker& check, const NodeSpec& node)
{
    if (!std::holds_alternative<PcieNodeSpec>(node.scale_up)) {
        check.positive("nvlink.bandwidth", node.nvlink.bandwidth, "450 GB/s");
        check.share("nvlink.efficiency", node.nvlink.efficiency);
        check.not_negative("nvlink.latency", node.nvlink.latency);
    }
    check.within("pcie.generation", node.pcie.generation, kFirstGeneration, kLastGeneration);
    check.within("pcie.lanes", node.pcie.lanes, 1, 16);
    check.share("pcie.efficiency", node.pcie.efficiency);
    check.not_negative("pcie.latency", node.pcie.latency);
}

void check_nics(Checker& check, const NodeSpec& node)
{
    check.positive("nic.bandwidth", node.nic.bandwidth, "400 Gbps");
    check.share("nic.efficiency", node.nic.efficiency);
    check.not_negative("nic.latency", node.nic.latency);
    check.at_least("nic.per_node", node.nics, 1);
    if (node.nic.upkeep.price) {
        check.not_negative("nic.price", *node.nic.upkeep.price);
    }
    if (node.nic.upkeep.power) {
        check.not_negative("nic.power", *node.nic.upkeep.power);
    }

    if (node.nic_of_gpu.size() != static_cast<std::size_t>(std::max(node.gpus, 0))) {
        check.error("nic.of_gpu",
                    fmt::format("has {} entries, but a node has {} GPUs", node.nic_of_gpu.size(),
                                node.gpus),
                    "write for each GPU the index of the NIC it uses, from 0");
    }
    for (std::size_t gpu = 0; gpu < node.nic_of_gpu.size(); ++gpu) {
        const int nic = node.nic_of_gpu[gpu];
        if (nic < 0 || nic >= node.nics) {
            check.error(
                "nic.of_gpu",
                fmt::format("sends GPU {} to NIC {}, but a node has {} NICs", gpu, nic, node.nics),
                fmt::format("write an index from 0 to {}", node.nics - 1));
        }
    }
}

void check_kind(Checker& check, const NodeSpec& /*node*/, const HgxSpec& spec)
{
    check.at_least("node.planes", spec.planes, 1);
}

void check_kind(Checker& check, const NodeSpec& node, const Nvl72Spec& spec)
{
    check.at_least("node.switch_trays", spec.switch_trays, 1);
    if (node.gpus % 4 != 0) {
        check.error("gpus_per_node",
                    fmt::format("is {}, but a rack of compute trays holds four a tray", node.gpus),
                    "write 72, or another multiple of 4");
    }
}

void check_kind(Checker& check, const NodeSpec& node, const Dgx1Spec& /*spec*/)
{
    if (node.gpus != 8) {
        check.error("gpus_per_node",
                    fmt::format("is {}, but a hybrid cube mesh has 8 GPUs", node.gpus), "write 8");
    }
}

void check_kind(Checker& /*check*/, const NodeSpec& /*node*/, const XgmiSpec& /*spec*/) {}
void check_kind(Checker& /*check*/, const NodeSpec& /*node*/, const PcieNodeSpec& /*spec*/) {}

void check_kind(Checker& check, const NodeSpec& node, const MeshSpec& spec)
{
    check.at_least("node.links_per_gpu", spec.links_per_gpu, 1);
    std::vector<int> used(static_cast<std::size_t>(std::max(node.gpus, 0)), 0);
    for (std::size_t i = 0; i < spec.pairs.size(); ++i) {
        const auto key = fmt::format("node.pairs.{}", i);
        const auto [a, b] = spec.pairs[i].gpus;
        check.at_least(key + ".links", spec.pairs[i].links, 1);
        if (a == b || std::min(a, b) < 0 || std::max(a, b) >= node.gpus) {
            check.error(key + ".gpus", fmt::format("joins GPU {} to GPU {}", a, b),
                        fmt::format("write two GPUs from 0 to {}", node.gpus - 1));
            continue;
        }
        used[static_cast<std::size_t>(a)] += spec.pairs[i].links;
        used[static_cast<std::size_t>(b)] += spec.pairs[i].links;
    }
    for (std::size_t gpu = 0; gpu < used.size(); ++gpu) {
        if (used[gpu] > spec.links_per_gpu && spec.links_per_gpu > 0) {
            check.error("node.pairs",
                        fmt::format("gives GPU {} {} links, but a GPU has {}", gpu, used[gpu],
                                    spec.links_per_gpu),
                        {});
        }
    }
}

void check_sockets(Checker& check, const std::string& key, const std::vector<int>& of, int sockets)
{
    for (const int socket : of) {
        if (socket < 0 || socket >= sockets) {
            check.error(key, fmt::format("names socket {}, but there are {}", socket, sockets),
                        fmt::format("write an index from 0 to {}", sockets - 1));
        }
    }
}

void check_host_link(Checker& check, const std::string& key,
                     const std::optional<HostLinkSpec>& link)
{
    if (link) {
        check.positive(key + ".bandwidth", link->bandwidth, "62 GB/s");
        check.not_negative(key + ".latency", link->latency);
    }
}

void check_host(Checker& check, const NodeSpec& node)
{
    const auto& host = node.host;
    check.at_least("host.sockets", host.sockets, 0);
    if (host.sockets < 1) {
        const bool tiers = host.dram || host.storage || host.pool || host.files;
        if (host.c2c || host.socket_link || host.peer_through_root || !host.nic_under_switch ||
            tiers) {
            check.error("host.sockets",
                        fmt::format("is 0, but the host's {} described",
                                    tiers ? "memory or drives are" : "links are"),
                        "write the number of CPU sockets of a node");
        }
        return;
    }
    const auto sized = [&](const char* key, const std::vector<int>& of, int things) {
        if (of.size() != static_cast<std::size_t>(std::max(things, 0))) {
            check.error(key, fmt::format("has {} entries, but a node has {}", of.size(), things),
                        "write a socket for each, from 0");
        }
    };
    sized("host.socket_of_gpu", host.socket_of_gpu, node.gpus);
    sized("host.socket_of_nic", host.socket_of_nic, node.nics);
    check_sockets(check, "host.socket_of_gpu", host.socket_of_gpu, host.sockets);
    check_sockets(check, "host.socket_of_nic", host.socket_of_nic, host.sockets);
    check_host_link(check, "host.socket_link", host.socket_link);
    check_host_link(check, "host.c2c", host.c2c);
}

}  // namespace

std::string_view kind_name(const NodeSpec& node)
{
    return std::visit([](const auto& spec) { return spec.kKind; }, node.scale_up);
}

std::vector<int> spread_evenly(int gpus, int things)
{
    std::vector<int> of;
    for (std::int64_t g = 0; g < gpus; ++g) {
        of.push_back(static_cast<int>(g * things / gpus));
    }
    return of;
}

Diagnostics validate(const HostSpec& host, int nics, const std::string& key)
{
    Diagnostics diagnostics;
    const auto add = [&](const Diagnostics& more) {
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    };
    if (host.dram) {
        add(validate(*host.dram, key + ".dram"));
    }
    if (host.cpu) {
        add(validate(*host.cpu, key + ".cpu"));
    }
    if (host.storage) {
        add(validate(*host.storage, {host.sockets, host.nic_under_switch ? nics : 0},
                     key + ".storage"));
    }
    if (host.pool) {
        add(validate(*host.pool, key + ".pool"));
    }
    if (host.files) {
        add(validate(*host.files, key + ".files"));
    }
    return diagnostics;
}

void check_node(Checker& check, const NodeSpec& node)
{
    check_links(check, node);
    check_nics(check, node);
    std::visit([&](const auto& spec) { check_kind(check, node, spec); }, node.scale_up);
    check_host(check, node);
}

}  // namespace sim::spec

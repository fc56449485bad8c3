#include "fabric/host.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::fabric
{
namespace
{

/// The vertices that a node's slots lead to.
class HostBuilder
{
public:
    HostBuilder(Fabric& fabric, const spec::NodeSpec& node, std::string prefix)
        : graph_{fabric.graph}, node_{node}, prefix_{std::move(prefix)}
    {
    }

    void add_sockets(int boards);
    void add_pcie_switches();
    [[nodiscard]] VertexId add_nic(int index);
    [[nodiscard]] VertexId add_gpu(int index);
    [[nodiscard]] const std::vector<VertexId>& sockets() const { return sockets_; }

private:
    [[nodiscard]] Link slot() const;
    [[nodiscard]] bool switched() const
    {
        return node_.host.sockets == 0 || node_.host.nic_under_switch;
    }
    [[nodiscard]] VertexId socket(const std::vector<int>& of, int index) const
    {
        return sockets_.at(static_cast<std::size_t>(of.at(static_cast<std::size_t>(index))));
    }
    void join(Link link, VertexId from, VertexId to);

    Graph& graph_;
    const spec::NodeSpec& node_;
    std::string prefix_;
    std::vector<VertexId> sockets_;
    std::vector<VertexId> switches_;  ///< one a NIC
};

Link HostBuilder::slot() const
{
    return {.from = {},
            .to = {},
            .kind = LinkKind::pcie,
            .bandwidth = spec::raw_bandwidth(node_.pcie) * node_.pcie.efficiency,
            .latency = node_.pcie.latency,
            .name = {}};
}

Link host_link(LinkKind kind, const spec::HostLinkSpec& spec)
{
    return {.from = {},
            .to = {},
            .kind = kind,
            .bandwidth = spec.bandwidth,
            .latency = spec.latency,
            .name = {}};
}

void HostBuilder::join(Link link, VertexId from, VertexId to)
{
    link.from = from;
    link.to = to;
    graph_.add_duplex(link);
}

void HostBuilder::add_sockets(int boards)
{
    const auto& host = node_.host;
    for (int socket = 0; socket < host.sockets; ++socket) {
        sockets_.push_back(
            graph_.add_vertex({VertexKind::cpu, prefix_ + "cpu" + std::to_string(socket)}));
    }
    const auto on_board = static_cast<std::size_t>(std::max(host.sockets / boards, 1));
    for (std::size_t a = 0; host.socket_link && a < sockets_.size(); ++a) {
        for (std::size_t b = a + 1; b < sockets_.size() && b / on_board == a / on_board; ++b) {
            join(host_link(LinkKind::socket, *host.socket_link), sockets_[a], sockets_[b]);
        }
    }
}

void HostBuilder::add_pcie_switches()
{
    for (int nic = 0; switched() && nic < node_.nics; ++nic) {
        switches_.push_back(
            graph_.add_vertex({VertexKind::pcie_switch, prefix_ + "pcie" + std::to_string(nic)}));
        if (!sockets_.empty()) {
            join(slot(), switches_.back(), socket(node_.host.socket_of_nic, nic));
        }
    }
}

VertexId HostBuilder::add_nic(int index)
{
    const auto nic = graph_.add_vertex({VertexKind::nic, prefix_ + "nic" + std::to_string(index)});
    join(slot(), nic,
         switched() ? switches_[static_cast<std::size_t>(index)]
                    : socket(node_.host.socket_of_nic, index));
    return nic;
}

VertexId HostBuilder::add_gpu(int index)
{
    const auto& host = node_.host;
    const auto gpu = graph_.add_vertex({VertexKind::gpu, prefix_ + "gpu" + std::to_string(index)});
    if (switched()) {
        const auto nic =
            static_cast<std::size_t>(node_.nic_of_gpu[static_cast<std::size_t>(index)]);
        SIM_EXPECT(nic < switches_.size());
        join(slot(), gpu, switches_[nic]);
    }
    if (host.c2c) {
        join(host_link(LinkKind::c2c, *host.c2c), gpu, socket(host.socket_of_gpu, index));
    } else if (!switched()) {
        join(slot(), gpu, socket(host.socket_of_gpu, index));
    }
    return gpu;
}

}  // namespace

std::vector<VertexId> add_host(Fabric& fabric, const spec::NodeSpec& node, const std::string& name,
                               int boards)
{
    SIM_EXPECT(node.nic_of_gpu.size() == static_cast<std::size_t>(node.gpus));
    HostBuilder host{fabric, node, name + "/"};
    const NodeId id{fabric.nodes++};
    fabric.peer_through_root = node.host.peer_through_root;
    host.add_sockets(boards);
    host.add_pcie_switches();
    const auto first_nic = fabric.nics.size();
    for (int nic = 0; nic < node.nics; ++nic) {
        fabric.nics.push_back(host.add_nic(nic));
        fabric.node_of_nic.push_back(id);
    }
    const auto first_socket = fabric.sockets.size();
    fabric.sockets.insert(fabric.sockets.end(), host.sockets().begin(), host.sockets().end());
    std::vector<VertexId> gpus;
    for (int gpu = 0; gpu < node.gpus; ++gpu) {
        gpus.push_back(host.add_gpu(gpu));
        if (!host.sockets().empty()) {
            const int socket = node.host.socket_of_gpu[static_cast<std::size_t>(gpu)];
            fabric.socket_of_gpu.push_back(first_socket + static_cast<std::size_t>(socket));
        }
        const auto nic = static_cast<std::size_t>(node.nic_of_gpu[static_cast<std::size_t>(gpu)]);
        fabric.gpus.push_back(gpus.back());
        fabric.nic_of_gpu.push_back(fabric.nics[first_nic + nic]);
        fabric.node_of_gpu.push_back(id);
    }
    return gpus;
}

}  // namespace sim::fabric

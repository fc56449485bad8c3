#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/random.hpp"
#include "fabric/fabric.hpp"
#include "fabric/switch_network.hpp"

namespace sim::fabric
{
namespace
{

/// Where a GPU's traffic enters NVLink and the network.
struct GpuPorts {
    std::vector<LinkId> nvlinks;  ///< to NVSwitches
    std::vector<LinkId>
        to_network;  ///< GPU - PCIe - NIC - first switch; empty when there is no way
};

/// Shortest way through PCIe switches alone.
std::vector<LinkId> pcie_path(const Graph& graph, VertexId from, VertexId to)
{
    std::map<VertexId, LinkId> reached_by;
    std::vector<VertexId> queue{from};
    for (std::size_t i = 0; i < queue.size() && !reached_by.contains(to); ++i) {
        for (const auto id : graph.out_links(queue[i])) {
            const auto next = graph.links()[id.index()].to;
            const bool open =
                next == to || graph.vertices()[next.index()].kind == VertexKind::pcie_switch;
            if (open && reached_by.emplace(next, id).second) {
                queue.push_back(next);
            }
        }
    }
    std::vector<LinkId> path;
    if (reached_by.contains(to)) {
        for (auto at = to; at != from; at = graph.links()[path.back().index()].from) {
            path.push_back(reached_by.at(at));
        }
        std::reverse(path.begin(), path.end());
    }
    return path;
}

std::optional<LinkId> network_port(const Graph& graph, VertexId nic)
{
    for (const auto id : graph.out_links(nic)) {
        if (graph.links()[id.index()].kind == LinkKind::nic) {
            return id;
        }
    }
    return std::nullopt;
}

GpuPorts find_ports(const Graph& graph, VertexId gpu, VertexId nic)
{
    GpuPorts ports;
    for (const auto id : graph.out_links(gpu)) {
        if (graph.vertices()[graph.links()[id.index()].to.index()].kind == VertexKind::nvswitch) {
            ports.nvlinks.push_back(id);
        }
    }
    const auto port = network_port(graph, nic);
    ports.to_network = pcie_path(graph, gpu, nic);
    if (port && !ports.to_network.empty()) {
        ports.to_network.push_back(*port);
    } else {
        ports.to_network.clear();
    }
    return ports;
}

}  // namespace

struct Router::Impl {
    const Fabric& fabric;
    spec::Routing routing;
    int connections;
    std::uint64_t seed;
    SwitchNetwork network;
    std::vector<GpuPorts> ports;

    [[nodiscard]] const Link& link(LinkId id) const { return fabric.graph.links()[id.index()]; }

    [[nodiscard]] Route over_nvlink(GpuId from, GpuId to) const;
    [[nodiscard]] Route over_network(GpuId from, GpuId to, std::uint64_t label);
    void append(Route& route, LinkId id) const
    {
        route.hops.push_back({id, 1.0});
        route.latency += link(id).latency;
    }
    /// False when there is no path.
    [[nodiscard]] bool append_hashed(Route& route, VertexId from, VertexId to, std::uint64_t hash);
    [[noreturn]] void no_route(GpuId from, GpuId to) const;
};

Router::Router(const Fabric& fabric, const spec::FabricSpec& spec, std::uint64_t seed)
    : impl_{new Impl{fabric, spec.routing, spec.connections, seed, SwitchNetwork{fabric.graph}, {}}}
{
    SIM_EXPECT(spec.connections >= 1);
    impl_->ports.reserve(fabric.gpus.size());
    for (std::size_t gpu = 0; gpu < fabric.gpus.size(); ++gpu) {
        impl_->ports.push_back(find_ports(fabric.graph, fabric.gpus[gpu], fabric.nic_of_gpu[gpu]));
    }
}

Router::~Router() = default;

Route Router::route(GpuId from, GpuId to, std::uint64_t label) const
{
    SIM_EXPECT(from != to);
    auto route = impl_->over_nvlink(from, to);
    return route.hops.empty() ? impl_->over_network(from, to, label) : route;
}

/// Through every NVSwitch both are joined to, in proportion to the sender's links; empty if none.
Route Router::Impl::over_nvlink(GpuId from, GpuId to) const
{
    std::vector<std::pair<LinkId, LinkId>> ways;
    Bandwidth total;
    for (const auto up : ports[from.index()].nvlinks) {
        for (const auto peer : ports[to.index()].nvlinks) {
            if (link(up).to == link(peer).to) {
                ways.emplace_back(up, Graph::reverse(peer));
                total += link(up).bandwidth;
            }
        }
    }
    Route route;
    for (const auto& [up, down] : ways) {
        const double part = link(up).bandwidth / total;
        route.hops.push_back({up, part});
        route.hops.push_back({down, part});
        route.latency = std::max(route.latency, link(up).latency + link(down).latency);
    }
    return route;
}

Route Router::Impl::over_network(GpuId from, GpuId to, std::uint64_t label)
{
    const auto& out = ports[from.index()].to_network;
    const auto& in = ports[to.index()].to_network;
    if (out.empty() || in.empty()) {
        no_route(from, to);
    }
    const auto entry = link(out.back()).to;
    const auto exit = link(in.back()).to;
    Route route;
    for (const auto id : out) {
        append(route, id);
    }
    if (routing == spec::Routing::even) {
        const auto* spread = network.spread(entry, exit);
        if (spread == nullptr) {
            no_route(from, to);
        }
        route.hops.insert(route.hops.end(), spread->hops.begin(), spread->hops.end());
        route.latency += spread->latency;
    } else if (!append_hashed(route, entry, exit,
                              mix(mix(mix(seed, from.index()), to.index()), label))) {
        no_route(from, to);
    }
    for (auto id = in.rbegin(); id != in.rend(); ++id) {
        append(route, Graph::reverse(*id));
    }
    return route;
}

bool Router::Impl::append_hashed(Route& route, VertexId from, VertexId to, std::uint64_t hash)
{
    std::map<LinkId, int> carried;
    Time latest;
    for (int connection = 0; connection < connections; ++connection) {
        Time latency;
        const auto path = network.walk(from, to, mix(hash, static_cast<std::uint64_t>(connection)));
        if (!path) {
            return false;
        }
        for (const auto id : *path) {
            ++carried[id];
            latency += link(id).latency;
        }
        latest = std::max(latest, latency);
    }
    for (const auto& [id, count] : carried) {
        route.hops.push_back({id, static_cast<double>(count) / connections});
    }
    route.latency += latest;
    return true;
}

void Router::Impl::no_route(GpuId from, GpuId to) const
{
    const auto& vertices = fabric.graph.vertices();
    Diagnostic diagnostic;
    diagnostic.key = "cluster.fabric";
    diagnostic.message = fmt::format("there is no route from {} to {}",
                                     vertices[fabric.gpus[from.index()].index()].name,
                                     vertices[fabric.gpus[to.index()].index()].name);
    diagnostic.hint = "join them by NVLink, or their NICs by switches";
    throw InputError{{diagnostic}};
}

}  // namespace sim::fabric

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/random.hpp"
#include "fabric/fabric.hpp"
#include "fabric/host_path.hpp"
#include "fabric/network_routes.hpp"

namespace sim::fabric
{
namespace
{

/// Where a GPU's traffic enters NVLink and the network.
struct GpuPorts {
    std::vector<LinkId> nvlinks;
    std::vector<LinkId> to_nic;  ///< empty when there is no way
    std::vector<LinkId> cables;  ///< NIC to first switches, one a port
};

/// Those that carry something.
std::vector<LinkId> links_of_kind(const Graph& graph, VertexId at, LinkKind kind,
                                  const std::vector<char>& dead)
{
    auto links = graph.out_links(at);
    std::erase_if(links, [&](LinkId id) {
        const bool is_dead =
            !dead.empty() && (dead[id.index()] != 0 || dead[Graph::reverse(id).index()] != 0);
        return is_dead || graph.links()[id.index()].kind != kind;
    });
    return links;
}

/// By GPU: the place of its NIC among those of its node.
std::vector<std::uint32_t> rails_of(const Fabric& fabric)
{
    std::map<VertexId, std::uint32_t> rail_of_nic;
    std::uint32_t rail = 0;
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        const bool first = nic == 0 || fabric.node_of_nic[nic] != fabric.node_of_nic[nic - 1];
        rail = first ? 0 : rail + 1;
        rail_of_nic.emplace(fabric.nics[nic], rail);
    }
    std::vector<std::uint32_t> rails;
    for (const auto nic : fabric.nic_of_gpu) {
        rails.push_back(rail_of_nic.at(nic));
    }
    return rails;
}

}  // namespace

struct Router::Impl {
    const Fabric& fabric;
    std::uint64_t seed;
    NetworkRoutes network;
    std::vector<GpuPorts> ports;
    std::vector<std::uint32_t> rails;  ///< by GPU; empty unless the library crosses rails by NVLink

    [[nodiscard]] const Link& link(LinkId id) const { return fabric.graph.links()[id.index()]; }

    [[nodiscard]] Route over_nvlink(GpuId from, GpuId to) const;
    [[nodiscard]] Route over_host(GpuId from, GpuId to) const;
    [[nodiscard]] Route over_network(GpuId from, GpuId to, std::uint64_t label, LinkLoads loads);
    [[nodiscard]] Route onto_rail(GpuId from, GpuId to, GpuId& leaves_by) const;
    [[nodiscard]] std::vector<PortPair> nearest_ports(GpuId from, GpuId to);
    void append(Route& route, LinkId id) const
    {
        route.hops.push_back({id, 1.0});
        route.latency += link(id).latency;
    }
    [[noreturn]] void no_route(GpuId from, GpuId to) const;
};

Router::Router(const Fabric& fabric, const spec::FabricSpec& spec, std::uint64_t seed,
               const std::vector<char>& dead)
    : impl_{new Impl{fabric, seed, NetworkRoutes{fabric, spec, dead}, {}, {}}}
{
    SIM_EXPECT(spec.connections >= 1 && spec.queue_pairs.per_connection >= 1);
    impl_->ports.reserve(fabric.gpus.size());
    for (std::size_t gpu = 0; gpu < fabric.gpus.size(); ++gpu) {
        const auto nic = fabric.nic_of_gpu[gpu];
        impl_->ports.push_back(
            {links_of_kind(fabric.graph, fabric.gpus[gpu], LinkKind::nvlink, dead),
             host_path(fabric, fabric.gpus[gpu], nic),
             links_of_kind(fabric.graph, nic, LinkKind::nic, dead)});
    }
    if (spec.cross_by_nvlink) {
        impl_->rails = rails_of(fabric);
    }
}

Router::~Router() = default;

Route Router::route(GpuId from, GpuId to, std::uint64_t label) const
{
    return route(from, to, label, {});
}

Route Router::route(GpuId from, GpuId to, std::uint64_t label, LinkLoads loads) const
{
    SIM_EXPECT(from != to);
    auto route = impl_->over_nvlink(from, to);
    if (route.hops.empty() &&
        impl_->fabric.node_of_gpu[from.index()] == impl_->fabric.node_of_gpu[to.index()]) {
        route = impl_->over_host(from, to);
    }
    if (route.hops.empty()) {
        route = impl_->over_network(from, to, label, loads);
    }
    route.from = from;
    route.to = to;
    route.label = label;
    return route;
}

/// To the GPU of the sender's node whose NIC is on the receiver's rail, which the traffic leaves
/// by; no hops when it is there already or NVLink does not lead there.
Route Router::Impl::onto_rail(GpuId from, GpuId to, GpuId& leaves_by) const
{
    leaves_by = from;
    if (rails.empty() || rails[from.index()] == rails[to.index()]) {
        return {};
    }
    const auto node = fabric.node_of_gpu[from.index()];
    const auto first = std::find(fabric.node_of_gpu.begin(), fabric.node_of_gpu.end(), node);
    auto gpu = static_cast<std::size_t>(first - fabric.node_of_gpu.begin());
    for (; gpu < rails.size() && fabric.node_of_gpu[gpu] == node; ++gpu) {
        if (rails[gpu] != rails[to.index()]) {
            continue;
        }
        if (auto crossing = over_nvlink(from, GpuId{gpu}); !crossing.hops.empty()) {
            leaves_by = GpuId{gpu};
            return crossing;
        }
    }
    return {};
}

/// By the links that join the two, else through every NVSwitch or GPU both are joined to; in
/// proportion to the sender's links. Empty if none.
Route Router::Impl::over_nvlink(GpuId from, GpuId to) const
{
    std::vector<std::pair<LinkId, std::optional<LinkId>>> ways;
    for (const auto up : ports[from.index()].nvlinks) {
        if (link(up).to == fabric.gpus[to.index()]) {
            ways.emplace_back(up, std::nullopt);
        }
    }
    const bool direct = !ways.empty();
    for (const auto up : ports[from.index()].nvlinks) {
        for (const auto peer : ports[to.index()].nvlinks) {
            if (!direct && link(up).to == link(peer).to) {
                ways.emplace_back(up, Graph::reverse(peer));
            }
        }
    }
    Bandwidth total;
    for (const auto& [up, down] : ways) {
        total += down ? std::min(link(up).bandwidth, link(*down).bandwidth) : link(up).bandwidth;
    }
    Route route;
    for (const auto& [up, down] : ways) {
        const auto rate =
            down ? std::min(link(up).bandwidth, link(*down).bandwidth) : link(up).bandwidth;
        route.hops.push_back({up, rate / total});
        auto latency = link(up).latency;
        if (down) {
            route.hops.push_back({*down, rate / total});
            latency += link(*down).latency;
        }
        route.latency = std::max(route.latency, latency);
    }
    return route;
}

/// Through the PCIe switches and sockets of their node; empty if there is no way.
Route Router::Impl::over_host(GpuId from, GpuId to) const
{
    Route route;
    for (const auto id : host_path(fabric, fabric.gpus[from.index()], fabric.gpus[to.index()])) {
        append(route, id);
    }
    return route;
}

/// The pairs of ports that are fewest switches apart, none when no path joins any. A sending port
/// shares by its bandwidth, and so do the receiving ones it reaches.
std::vector<PortPair> Router::Impl::nearest_ports(GpuId from, GpuId to)
{
    const auto& out = ports[from.index()].cables;
    const auto& in = ports[to.index()].cables;
    if (out.size() == 1 && in.size() == 1) {
        return {{out.front(), in.front(), 1.0}};
    }
    std::uint32_t least = kUnreachable;
    std::map<std::pair<LinkId, LinkId>, std::uint32_t> hops;
    for (const auto up : out) {
        for (const auto down : in) {
            const auto apart = network.hops(link(up).to, link(down).to);
            hops[{up, down}] = apart;
            least = std::min(least, apart);
        }
    }
    std::vector<PortPair> pairs;
    if (least == kUnreachable) {
        return pairs;
    }
    Bandwidth total_out;
    for (const auto up : out) {
        std::vector<LinkId> reached = in;
        std::erase_if(reached, [&](LinkId down) { return hops.at({up, down}) != least; });
        Bandwidth total_in;
        for (const auto down : reached) {
            total_in += link(down).bandwidth;
        }
        for (const auto down : reached) {
            const double part = link(down).bandwidth / total_in;
            pairs.push_back({up, down, link(up).bandwidth / Bandwidth::of(1) * part});
        }
        total_out += reached.empty() ? Bandwidth{} : link(up).bandwidth;
    }
    for (auto& pair : pairs) {
        pair.share /= total_out / Bandwidth::of(1);
    }
    return pairs;
}

Route Router::Impl::over_network(GpuId from, GpuId to, std::uint64_t label, LinkLoads loads)
{
    GpuId leaves_by;
    auto route = onto_rail(from, to, leaves_by);
    const auto& out = ports[leaves_by.index()];
    const auto& in = ports[to.index()];
    if (out.to_nic.empty() || in.to_nic.empty() || out.cables.empty() || in.cables.empty()) {
        no_route(from, to);
    }
    const auto pairs = nearest_ports(leaves_by, to);
    for (const auto id : out.to_nic) {
        append(route, id);
    }
    const FlowIdentity identity{mix(mix(seed, fabric.nic_of_gpu[leaves_by.index()].index()),
                                    fabric.nic_of_gpu[to.index()].index()),
                                mix(mix(mix(seed, from.index()), to.index()), label)};
    if (pairs.empty() || !network.append(route, pairs, identity, loads)) {
        no_route(from, to);
    }
    for (auto id = in.to_nic.rbegin(); id != in.to_nic.rend(); ++id) {
        append(route, Graph::reverse(*id));
    }
    return route;
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

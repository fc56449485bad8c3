#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/random.hpp"
#include "fabric/fabric.hpp"
#include "fabric/host_path.hpp"
#include "fabric/switch_network.hpp"

namespace sim::fabric
{
namespace
{

/// No vertex has this number: ids are of 32 bits.
constexpr std::uint64_t kPortKey = std::uint64_t{1} << 40U;

/// Where a GPU's traffic enters NVLink and the network.
struct GpuPorts {
    std::vector<LinkId> nvlinks;
    std::vector<LinkId> to_nic;  ///< empty when there is no way
    std::vector<LinkId> cables;  ///< NIC to first switches, one a port
};

/// A way between two NICs: by which port out and in, and how much of the flow.
struct PortPair {
    LinkId out;
    LinkId in;  ///< as the receiver would send through it
    double share;
};

std::vector<LinkId> links_of_kind(const Graph& graph, VertexId at, LinkKind kind)
{
    auto links = graph.out_links(at);
    std::erase_if(links, [&](LinkId id) { return graph.links()[id.index()].kind != kind; });
    return links;
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
    [[nodiscard]] Route over_host(GpuId from, GpuId to) const;
    [[nodiscard]] Route over_network(GpuId from, GpuId to, std::uint64_t label);
    [[nodiscard]] std::vector<PortPair> nearest_ports(GpuId from, GpuId to);
    void append(Route& route, LinkId id) const
    {
        route.hops.push_back({id, 1.0});
        route.latency += link(id).latency;
    }
    /// Both are false when there is no path.
    [[nodiscard]] bool append_spread(Route& route, const std::vector<PortPair>& pairs);
    [[nodiscard]] bool append_hashed(Route& route, const std::vector<PortPair>& pairs,
                                     std::uint64_t hash);
    [[noreturn]] void no_route(GpuId from, GpuId to) const;
};

Router::Router(const Fabric& fabric, const spec::FabricSpec& spec, std::uint64_t seed)
    : impl_{new Impl{fabric, spec.routing, spec.connections, seed, SwitchNetwork{fabric.graph}, {}}}
{
    SIM_EXPECT(spec.connections >= 1);
    impl_->ports.reserve(fabric.gpus.size());
    for (std::size_t gpu = 0; gpu < fabric.gpus.size(); ++gpu) {
        const auto nic = fabric.nic_of_gpu[gpu];
        impl_->ports.push_back({links_of_kind(fabric.graph, fabric.gpus[gpu], LinkKind::nvlink),
                                host_path(fabric, fabric.gpus[gpu], nic),
                                links_of_kind(fabric.graph, nic, LinkKind::nic)});
    }
}

Router::~Router() = default;

Route Router::route(GpuId from, GpuId to, std::uint64_t label) const
{
    SIM_EXPECT(from != to);
    auto route = impl_->over_nvlink(from, to);
    if (route.hops.empty() &&
        impl_->fabric.node_of_gpu[from.index()] == impl_->fabric.node_of_gpu[to.index()]) {
        route = impl_->over_host(from, to);
    }
    return route.hops.empty() ? impl_->over_network(from, to, label) : route;
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

Route Router::Impl::over_network(GpuId from, GpuId to, std::uint64_t label)
{
    const auto& out = ports[from.index()];
    const auto& in = ports[to.index()];
    if (out.to_nic.empty() || in.to_nic.empty() || out.cables.empty() || in.cables.empty()) {
        no_route(from, to);
    }
    const auto pairs = nearest_ports(from, to);
    Route route;
    for (const auto id : out.to_nic) {
        append(route, id);
    }
    const auto hash = mix(mix(mix(seed, from.index()), to.index()), label);
    const bool found =
        !pairs.empty() && (routing == spec::Routing::even ? append_spread(route, pairs)
                                                          : append_hashed(route, pairs, hash));
    if (!found) {
        no_route(from, to);
    }
    for (auto id = in.to_nic.rbegin(); id != in.to_nic.rend(); ++id) {
        append(route, Graph::reverse(*id));
    }
    return route;
}

bool Router::Impl::append_spread(Route& route, const std::vector<PortPair>& pairs)
{
    if (pairs.size() == 1) {
        append(route, pairs[0].out);
        const auto* spread = network.spread(link(pairs[0].out).to, link(pairs[0].in).to);
        if (spread == nullptr) {
            return false;
        }
        route.hops.insert(route.hops.end(), spread->hops.begin(), spread->hops.end());
        route.latency += spread->latency;
        append(route, Graph::reverse(pairs[0].in));
        return true;
    }
    std::map<LinkId, double> carried;
    Time latest;
    for (const auto& pair : pairs) {
        const auto in = Graph::reverse(pair.in);
        const auto* spread = network.spread(link(pair.out).to, link(pair.in).to);
        carried[pair.out] += pair.share;
        for (const auto& hop : spread->hops) {
            carried[hop.link] += hop.fraction * pair.share;
        }
        carried[in] += pair.share;
        latest = std::max(latest, link(pair.out).latency + spread->latency + link(in).latency);
    }
    for (const auto& [id, fraction] : carried) {
        route.hops.push_back({id, std::min(fraction, 1.0)});
    }
    route.latency += latest;
    return true;
}

bool Router::Impl::append_hashed(Route& route, const std::vector<PortPair>& pairs,
                                 std::uint64_t hash)
{
    std::map<LinkId, int> carried;
    Time latest;
    for (int connection = 0; connection < connections; ++connection) {
        const auto own = mix(hash, static_cast<std::uint64_t>(connection));
        // Another key than a switch's, so that the port says nothing of the path behind it.
        const auto& pair = pairs[pairs.size() == 1 ? 0 : choose(mix(own, kPortKey), pairs.size())];
        auto path = network.walk(link(pair.out).to, link(pair.in).to, own);
        if (!path) {
            return false;
        }
        path->insert(path->begin(), pair.out);
        path->push_back(Graph::reverse(pair.in));
        Time latency;
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

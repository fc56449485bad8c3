#include "fabric/network_routes.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace sim::fabric
{
namespace
{

/// No vertex has these numbers: ids are of 32 bits.
constexpr std::uint64_t kPortKey = std::uint64_t{1} << 40U;
constexpr std::uint64_t kGroupKey = std::uint64_t{1} << 41U;

/// What several ways carry together is one route; its bytes arrive with the slowest.
void join(Route& route, const std::map<LinkId, double>& carried, double whole, Time latest)
{
    for (const auto& [id, bytes] : carried) {
        route.hops.push_back({id, std::min(bytes / whole, 1.0)});
    }
    route.latency += latest;
}

}  // namespace

NetworkRoutes::NetworkRoutes(const Fabric& fabric, const spec::FabricSpec& spec,
                             const std::vector<char>& dead)
    : graph_{fabric.graph}, spec_{spec}, network_{fabric.graph, dead}
{
    if (spec_.routing == spec::Routing::up_down) {
        up_down_.emplace(network_);
        number_ports(fabric);
    }
    if (const auto* torus = std::get_if<spec::TorusSpec>(&spec_.network)) {
        dimension_order_.emplace(network_, *torus);
    }
    if (const auto* dragonfly = std::get_if<spec::DragonflySpec>(&spec_.network)) {
        group_ways_.emplace(network_, *dragonfly);
    }
}

/// Neighbours on one leaf have neighbouring numbers, so that what is sent to all of them takes all
/// ways.
void NetworkRoutes::number_ports(const Fabric& fabric)
{
    std::vector<std::pair<VertexId, LinkId>> ports;
    for (const auto nic : fabric.nics) {
        for (const auto id : graph_.out_links(nic)) {
            if (link(id).kind == LinkKind::nic) {
                ports.emplace_back(link(id).to, id);
            }
        }
    }
    std::sort(ports.begin(), ports.end());
    for (std::size_t i = 0; i < ports.size(); ++i) {
        number_of_port_.emplace(ports[i].second, i);
    }
}

bool NetworkRoutes::append(Route& route, const std::vector<PortPair>& pairs,
                           const FlowIdentity& identity, LinkLoads loads)
{
    switch (spec_.routing) {
        case spec::Routing::even:
        case spec::Routing::minimal:
        case spec::Routing::dimension_order:
        case spec::Routing::valiant:
            return append_spread(route, pairs);
        case spec::Routing::up_down:
            return append_tabled(route, pairs);
        case spec::Routing::ecmp:
        case spec::Routing::adaptive:
        case spec::Routing::ugal:
            break;
    }
    return append_queue_pairs(route, pairs, identity, loads);
}

const Route* NetworkRoutes::spread(VertexId from, VertexId to)
{
    if (spec_.routing == spec::Routing::even) {
        return network_.spread(from, to);
    }
    auto known = spreads_.find({from, to});
    if (known == spreads_.end()) {
        auto route = spec_.routing == spec::Routing::valiant   ? group_ways_->valiant(from, to)
                     : spec_.routing == spec::Routing::minimal ? group_ways_->minimal(from, to)
                                                               : dimension_order_->route(from, to);
        known = spreads_.emplace(std::pair{from, to}, std::move(route)).first;
    }
    return known->second ? &*known->second : nullptr;
}

bool NetworkRoutes::append_spread(Route& route, const std::vector<PortPair>& pairs)
{
    if (pairs.size() == 1) {
        const auto in = Graph::reverse(pairs[0].in);
        const auto* spread_route = spread(link(pairs[0].out).to, link(pairs[0].in).to);
        if (spread_route == nullptr) {
            return false;
        }
        route.hops.push_back({pairs[0].out, 1.0});
        route.hops.insert(route.hops.end(), spread_route->hops.begin(), spread_route->hops.end());
        route.hops.push_back({in, 1.0});
        route.latency += link(pairs[0].out).latency;
        route.latency += spread_route->latency;
        route.latency += link(in).latency;
        return true;
    }
    std::map<LinkId, double> carried;
    Time latest;
    for (const auto& pair : pairs) {
        const auto in = Graph::reverse(pair.in);
        const auto* spread_route = spread(link(pair.out).to, link(pair.in).to);
        if (spread_route == nullptr) {
            return false;
        }
        carried[pair.out] += pair.share;
        for (const auto& hop : spread_route->hops) {
            carried[hop.link] += hop.fraction * pair.share;
        }
        carried[in] += pair.share;
        latest =
            std::max(latest, link(pair.out).latency + spread_route->latency + link(in).latency);
    }
    join(route, carried, 1, latest);
    return true;
}

/// Every port has tables' path of its own, whoever sends: a flow between NICs of several ports is
/// spread over their pairs.
bool NetworkRoutes::append_tabled(Route& route, const std::vector<PortPair>& pairs)
{
    std::map<LinkId, double> carried;
    Time latest;
    for (const auto& pair : pairs) {
        auto path =
            up_down_->path(link(pair.out).to, link(pair.in).to, number_of_port_.at(pair.in));
        if (!path) {
            return false;
        }
        path->insert(path->begin(), pair.out);
        path->push_back(Graph::reverse(pair.in));
        Time latency;
        for (const auto id : *path) {
            carried[id] += pair.share;
            latency += link(id).latency;
        }
        latest = std::max(latest, latency);
    }
    join(route, carried, 1, latest);
    return true;
}

std::uint64_t NetworkRoutes::hash_of(const FlowIdentity& identity, int queue_pair) const
{
    const auto per_connection = spec_.queue_pairs.per_connection;
    switch (spec_.queue_pairs.hashed_by) {
        case spec::HashedBy::nic_pair:
            return identity.nics;
        case spec::HashedBy::connection:
            return mix(identity.flow, static_cast<std::uint64_t>(queue_pair / per_connection));
        case spec::HashedBy::queue_pair:
            break;
    }
    return mix(identity.flow, static_cast<std::uint64_t>(queue_pair));
}

bool NetworkRoutes::append_queue_pairs(Route& route, const std::vector<PortPair>& pairs,
                                       const FlowIdentity& identity, LinkLoads loads)
{
    Placing placing{loads, {}};
    Time latest;
    const int number = spec::queue_pairs(spec_);
    for (int queue_pair = 0; queue_pair < number; ++queue_pair) {
        const auto hash = hash_of(identity, queue_pair);
        // Another key than a switch's, so that the port says nothing of the path behind it.
        const auto& pair = pairs[pairs.size() == 1 ? 0 : choose(mix(hash, kPortKey), pairs.size())];
        auto taken = path(pair, hash, placing);
        if (!taken) {
            return false;
        }
        taken->insert(taken->begin(), pair.out);
        taken->push_back(Graph::reverse(pair.in));
        Time latency;
        for (const auto id : *taken) {
            placing.carried[id] += 1;
            latency += link(id).latency;
        }
        latest = std::max(latest, latency);
    }
    join(route, placing.carried, number, latest);
    return true;
}

std::optional<NetworkRoutes::Path> NetworkRoutes::path(const PortPair& pair, std::uint64_t hash,
                                                       const Placing& placing)
{
    switch (spec_.routing) {
        case spec::Routing::adaptive:
            return network_.walk(link(pair.out).to, link(pair.in).to, least_loaded(hash, placing));
        case spec::Routing::ugal:
            return by_load(pair, hash, placing);
        default:
            return network_.walk(link(pair.out).to, link(pair.in).to, hash);
    }
}

double NetworkRoutes::load(LinkId id, const Placing& placing) const
{
    const auto own = placing.carried.find(id);
    const double others = placing.loads.empty() ? 0 : placing.loads[id.index()];
    return (others + (own == placing.carried.end() ? 0 : own->second)) /
           (link(id).bandwidth / Bandwidth::of(1));
}

/// Every switch sends to the least loaded of its next links; which of equals, the hash says.
SwitchNetwork::Choose NetworkRoutes::least_loaded(std::uint64_t hash, const Placing& placing) const
{
    return [this, hash, &placing](VertexId at, const std::vector<LinkId>& links) {
        double least = load(links.front(), placing);
        for (const auto id : links) {
            least = std::min(least, load(id, placing));
        }
        std::vector<LinkId> best;
        for (const auto id : links) {
            if (load(id, placing) <= least) {
                best.push_back(id);
            }
        }
        return best[choose(mix(hash, at.index()), best.size())];
    };
}

/// How long a queue pair more would take per byte on the path's slowest link.
double NetworkRoutes::delay(const Path& path, const Placing& placing) const
{
    double most = 0;
    for (const auto id : path) {
        const double alone = 1 / (link(id).bandwidth / Bandwidth::of(1));
        most = std::max(most, load(id, placing) + alone);
    }
    return most * static_cast<double>(path.size());
}

/// The minimal way as long as its delay times its hops is not above that of one drawn detour.
std::optional<NetworkRoutes::Path> NetworkRoutes::by_load(const PortPair& pair, std::uint64_t hash,
                                                          const Placing& placing)
{
    const auto from = link(pair.out).to;
    const auto to = link(pair.in).to;
    const auto pick = least_loaded(hash, placing);
    auto shortest = group_ways_->path(from, to, pick);
    const auto entries = group_ways_->entries(from, to, mix(hash, kGroupKey));
    if (!shortest || entries.empty()) {
        return shortest;
    }
    const auto entry = entries[choose(mix(hash, kGroupKey + 1), entries.size())];
    auto around = group_ways_->path(from, entry, pick);
    const auto on = group_ways_->path(entry, to, pick);
    if (!around || !on) {
        return shortest;
    }
    around->insert(around->end(), on->begin(), on->end());
    return delay(*shortest, placing) <= delay(*around, placing) ? shortest : around;
}

}  // namespace sim::fabric

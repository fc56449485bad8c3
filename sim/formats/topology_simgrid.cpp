#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "formats/simgrid_platform.hpp"
#include "formats/topology_graph.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

/// A cable between two points, as routes of one link show it.
struct Edge {
    std::string a{};
    std::string b{};
    bool forth = false;
    bool back = false;
    Place place{};
};

/// A graph of cables from routes of one link.
class Assembly
{
public:
    Assembly(SimgridFile file, SimgridPlatform platform)
        : file_{file}, platform_{std::move(platform)}
    {
        add_clusters();
        find_edges();
        for (const auto& route : platform_.routes) {
            check_route(route);
        }
    }

    [[nodiscard]] Topology topology()
    {
        TopologyGraph graph;
        std::map<std::string, Bandwidth> rate_of;
        const std::set<std::string> hosts{platform_.hosts.begin(), platform_.hosts.end()};
        for (const auto& router : platform_.routers) {
            graph.add_switch(as_name(router));
        }
        for (const auto& [id, edge] : edges_) {
            const auto& link = platform_.links.at(id);
            check_edge(id, edge);
            rate_of[edge.a] += link.bandwidth;
            rate_of[edge.b] += link.bandwidth;
            if (hosts.count(edge.a) != 0 && hosts.count(edge.b) != 0) {
                const auto middle = "link-" + as_name(id);
                graph.add_switch(middle);
                graph.add_cable({as_name(edge.a), middle, link.bandwidth, link.latency, 1});
                graph.add_cable({as_name(edge.b), middle, link.bandwidth, Time{}, 1});
            } else {
                graph.add_cable(
                    {as_name(edge.a), as_name(edge.b), link.bandwidth, link.latency, 1});
            }
        }
        Topology topology;
        Bandwidth fastest{};
        for (const auto& host : platform_.hosts) {
            graph.add_node(as_name(host), std::nullopt, 1);
            fastest = std::max(fastest, rate_of[host]);
            if (rate_of[host] == Bandwidth{} && !file_.source.failed()) {
                file_.source.error(platform_.points.at(host),
                                   fmt::format("host {} has no link", host));
            }
        }
        topology.nodes = static_cast<int>(platform_.hosts.size());
        if (platform_.hosts.empty() && !file_.source.failed()) {
            file_.source.error({}, "describes no host");
        }
        topology.inside.nics = 1;
        topology.inside.nic = fastest;
        topology.cable_latency = Time{};  // every cable has its own
        topology.device = ideal_switch(graph.most_ports(), graph.most_capacity());
        topology.network = graph.finish();
        warn_of_the_rest();
        return topology;
    }

private:
    /// Flat clusters among other things: a switch with its hosts.
    void add_clusters()
    {
        for (const auto& cluster : platform_.clusters) {
            if (!cluster.topology.empty()) {
                file_.source.error(file_.xml.place(cluster.node, "topology"),
                                   "a cluster with a topology is read only as the whole platform");
                continue;
            }
            const auto router = cluster.router();
            if (platform_.add_point(file_, router, file_.xml.place(cluster.node))) {
                platform_.routers.push_back(router);
            }
            for (std::size_t i = 0; i < cluster.radical.size(); ++i) {
                const auto host = cluster.host(i);
                if (platform_.add_point(file_, host, file_.xml.place(cluster.node))) {
                    platform_.hosts.push_back(host);
                }
                const auto id = fmt::format("{}-{}", cluster.id, i);
                platform_.links[id] = {cluster.bandwidth, cluster.latency, false,
                                       file_.xml.place(cluster.node)};
                edges_[id] = {host, router, true, true, platform_.links[id].place};
            }
        }
    }

    void check_end(const SimgridRoute& route, const std::string& name)
    {
        if (platform_.points.count(name) != 0) {
            return;
        }
        std::vector<std::string> known;
        for (const auto& [point, place] : platform_.points) {
            known.push_back(point);
        }
        const auto near = closest(name, known);
        file_.source.error(route.place, fmt::format("there is no host or router \"{}\"", name),
                           near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
    }

    void find_edges()
    {
        for (const auto& route : platform_.routes) {
            check_end(route, route.from);
            check_end(route, route.to);
            if (route.links.size() != 1) {
                continue;
            }
            auto& edge = edges_[route.links.front()];
            if (edge.a.empty()) {
                edge = {route.from, route.to, false, false, route.place};
            }
            const bool forth = edge.a == route.from && edge.b == route.to;
            const bool back = edge.b == route.from && edge.a == route.to;
            if (!forth && !back) {
                file_.source.error(
                    route.place,
                    fmt::format("link {} joins {} to {} here, and {} to {} in line {}",
                                route.links.front(), route.from, route.to, edge.a, edge.b,
                                edge.place.line),
                    "a cable has two ends; a link that many share has no counterpart");
                continue;
            }
            edge.forth = edge.forth || forth || route.both_ways;
            edge.back = edge.back || back || route.both_ways;
        }
    }

    /// The links of a longer route must be a walk over cables.
    void check_route(const SimgridRoute& route)
    {
        if (route.links.size() < 2 || file_.source.failed()) {
            return;
        }
        auto at = route.from;
        for (const auto& id : route.links) {
            const auto edge = edges_.find(id);
            const bool goes_on =
                edge != edges_.end() && (edge->second.a == at || edge->second.b == at);
            if (!goes_on) {
                file_.source.error(route.place,
                                   fmt::format("link {} does not start at {}: no route of that "
                                               "link alone says so",
                                               id, at),
                                   "add a route of one link for each cable");
                return;
            }
            at = edge->second.a == at ? edge->second.b : edge->second.a;
            const bool through_host =
                at != route.to && std::find(platform_.hosts.begin(), platform_.hosts.end(), at) !=
                                      platform_.hosts.end();
            if (through_host) {
                file_.source.error(route.place, fmt::format("leads through host {}; only switches "
                                                            "pass traffic on",
                                                            at));
                return;
            }
        }
        if (at != route.to) {
            file_.source.error(route.place, fmt::format("ends at {}, not at {}", at, route.to));
        }
        ++long_routes_;
    }

    void check_edge(const std::string& id, const Edge& edge)
    {
        const auto& link = platform_.links.at(id);
        if (!edge.forth || !edge.back) {
            file_.source.error(
                edge.place,
                fmt::format("link {} leads one way only, from {} to {}", id,
                            edge.forth ? edge.a : edge.b, edge.forth ? edge.b : edge.a),
                "a cable carries both ways: leave symmetrical=\"NO\" out");
        }
        if (link.fatpipe) {
            file_.source.error(link.place, fmt::format("link {} is a FATPIPE, which is never full; "
                                                       "no cable is like that",
                                                       id));
        }
        if (link.bandwidth == Bandwidth{} && !file_.source.failed()) {
            file_.source.error(link.place, fmt::format("link {} has no bandwidth", id));
        }
    }

    void warn_of_the_rest()
    {
        std::size_t unused = 0;
        Place first{};
        for (const auto& [id, link] : platform_.links) {
            if (edges_.count(id) == 0) {
                first = ++unused == 1 ? link.place : first;
            }
        }
        if (unused > 0) {
            file_.source.warn(first,
                              counted(unused, "link") + " left out: no route shows what they join");
        }
        if (long_routes_ > 0) {
            file_.source.warn({}, counted(long_routes_, "route") +
                                      " of several links not written, but checked: routes are the "
                                      "shortest of the graph");
        }
    }

    SimgridFile file_;
    SimgridPlatform platform_;
    std::map<std::string, Edge> edges_;
    std::size_t long_routes_ = 0;
};

}  // namespace

Topology read_simgrid(TopologySource& source)
{
    const TopologyXml xml{source};
    if (source.failed()) {
        return {};
    }
    if (std::string_view{xml.root().name()} != "platform") {
        source.error(xml.place(xml.root()),
                     fmt::format("<{}> is not a SimGrid platform", xml.root().name()));
        return {};
    }
    const SimgridFile file{source, xml};
    auto platform = parse_simgrid(file);
    if (source.failed()) {
        return {};
    }
    const bool whole =
        platform.clusters.size() == 1 && platform.hosts.empty() && platform.routes.empty();
    auto topology = whole ? simgrid_cluster_topology(file, platform.clusters.front())
                          : Assembly{file, std::move(platform)}.topology();
    topology.format = "SimGrid platform";
    return topology;
}

}  // namespace sim::formats

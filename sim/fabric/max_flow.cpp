#include "fabric/max_flow.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/contract.hpp"

namespace sim::fabric
{
namespace
{

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Flow = std::int64_t;  // bytes per second: whole, so that the algorithm ends
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<
        boost::edge_capacity_t, Flow,
        boost::property<boost::edge_residual_capacity_t, Flow,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

void add(Network& network, std::size_t from, std::size_t to, Flow capacity)
{
    const auto edge = boost::add_edge(from, to, network).first;
    const auto back = boost::add_edge(to, from, network).first;
    boost::put(boost::edge_capacity, network, edge, capacity);
    boost::put(boost::edge_capacity, network, back, 0);
    boost::put(boost::edge_reverse, network, edge, back);
    boost::put(boost::edge_reverse, network, back, edge);
}

}  // namespace

Bandwidth max_flow(const Fabric& fabric, const std::vector<Side>& side_of_node)
{
    SIM_EXPECT(side_of_node.size() == fabric.nodes);
    const auto& vertices = fabric.graph.vertices();
    const std::size_t source = vertices.size();
    const std::size_t sink = source + 1;
    Network network{sink + 1};
    std::vector<Side> side(vertices.size(), Side::neither);
    for (std::size_t i = 0; i < fabric.nics.size(); ++i) {
        const auto nic = fabric.nics[i].index();
        side[nic] = side_of_node[fabric.node_of_nic[i].index()];
        constexpr Flow kUnlimited = std::numeric_limits<Flow>::max() / 4;
        // Boost adds up what leaves the source.
        const Flow most = kUnlimited / static_cast<Flow>(fabric.nics.size());
        if (side[nic] == Side::source) {
            add(network, source, nic, most);
        } else if (side[nic] == Side::sink) {
            add(network, nic, sink, most);
        }
    }
    for (const auto& link : fabric.graph.links()) {
        const auto from = link.from.index();
        const auto to = link.to.index();
        const bool out = side[from] == Side::source && link.kind == LinkKind::nic;
        const bool in = side[to] == Side::sink && link.kind == LinkKind::nic;
        const bool between = is_switch(vertices[from].kind) && is_switch(vertices[to].kind);
        if (out || in || between) {
            add(network, from, to, std::llround(link.bandwidth / Bandwidth::of(1)));
        }
    }
    return Bandwidth::of(static_cast<double>(boost::push_relabel_max_flow(network, source, sink)));
}

Bandwidth max_flow_bisection(const Fabric& fabric)
{
    std::vector<Side> sides(fabric.nodes, Side::neither);
    const auto half = fabric.nodes / 2;
    for (std::size_t i = 0; i < half; ++i) {
        sides[i] = Side::source;
        sides[fabric.nodes - 1 - i] = Side::sink;
    }
    return half == 0 ? Bandwidth{} : max_flow(fabric, sides);
}

}  // namespace sim::fabric

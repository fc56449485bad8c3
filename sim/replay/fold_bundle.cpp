#include "replay/fold_bundle.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "core/fingerprint.hpp"
#include "replay/fold_colours.hpp"

namespace sim::replay
{

namespace
{

using fabric::Graph;
using fabric::Link;
using fabric::VertexKind;

bool is_switch(const Graph& graph, VertexId vertex)
{
    const auto kind = graph.vertices()[vertex.index()].kind;
    return kind == VertexKind::leaf || kind == VertexKind::spine || kind == VertexKind::core;
}

/// What even routing sees of a link, seen from its far end too.
std::uint64_t look(const Link& link, const Link& back)
{
    Fingerprint print;
    print.add(link.bandwidth.base());
    print.add(link.latency.base());
    print.add(back.bandwidth.base());
    print.add(back.latency.base());
    return print.value();
}

/// By vertex: a colour of its own, unless it is a switch that no NIC is attached to.
std::vector<Colour> first_colours(const Graph& graph)
{
    std::vector<Colour> colours(graph.vertices().size());
    std::vector<char> alone(colours.size(), 0);
    for (const auto& link : graph.links()) {
        if (!is_switch(graph, link.from)) {
            alone[link.from.index()] = alone[link.to.index()] = 1;
        }
    }
    for (std::size_t v = 0; v < colours.size(); ++v) {
        Fingerprint print;
        print.add(static_cast<unsigned>(graph.vertices()[v].kind));
        print.add(alone[v] != 0 || !is_switch(graph, VertexId{v}) ? v + 1 : 0);
        colours[v] = print.value();
    }
    return colours;
}

std::vector<LinkId> switch_links(const Graph& graph)
{
    std::vector<LinkId> links;
    for (std::size_t i = 0; i < graph.links().size(); ++i) {
        const auto& link = graph.links()[i];
        if (is_switch(graph, link.from) && is_switch(graph, link.to)) {
            links.emplace_back(i);
        }
    }
    return links;
}

Classes refine(const Graph& graph)
{
    auto colours = first_colours(graph);
    const auto links = switch_links(graph);
    for (std::size_t before = 0, now = count_classes(colours); now != before;) {
        auto next = colours;
        for (const auto id : links) {
            const auto& link = graph.links()[id.index()];
            const auto& back = graph.links()[Graph::reverse(id).index()];
            next[link.from.index()] += mix(colours[link.to.index()], look(link, back));
        }
        for (std::size_t v = 0; v < colours.size(); ++v) {
            colours[v] = mix(colours[v], next[v] - colours[v]);
        }
        before = std::exchange(now, count_classes(colours));
    }
    return classes(colours);
}

/// Links that become one: both ends' classes and what the links look like.
using Alike = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

struct Merged {
    std::vector<Link> links;  ///< one of each pair of directions
    std::vector<Time> latency_back;
    std::vector<std::uint32_t> members;
};

/// False when a class has links inside it, which no merged link can be.
bool merge(const Graph& graph, const Classes& found, Merged& merged)
{
    std::map<Alike, std::size_t> known;
    for (std::size_t i = 0; i < graph.links().size(); i += 2) {
        auto link = graph.links()[i];
        const auto& back = graph.links()[i + 1];
        link.from = VertexId{found.of[link.from.index()]};
        link.to = VertexId{found.of[link.to.index()]};
        if (link.from == link.to) {
            return false;
        }
        auto at = merged.links.size();
        if (is_switch(graph, back.from) && is_switch(graph, back.to)) {
            at = known.emplace(Alike{link.from.index(), link.to.index(), look(link, back)}, at)
                     .first->second;
        }
        if (at == merged.links.size()) {
            merged.links.push_back(std::move(link));
            merged.latency_back.push_back(back.latency);
            merged.members.push_back(1);
        } else {
            merged.links[at].bandwidth += link.bandwidth;
            merged.links[at].cables += link.cables;
            ++merged.members[at];
        }
    }
    return true;
}

}  // namespace

Bundled bundle(fabric::Fabric fabric)
{
    const auto found = refine(fabric.graph);
    Merged merged;
    if (found.first.size() == fabric.graph.vertices().size() ||
        !merge(fabric.graph, found, merged)) {
        return {std::move(fabric), {}};
    }
    Graph graph;
    for (const auto first : found.first) {
        graph.add_vertex(fabric.graph.vertices()[first]);
    }
    std::vector<std::uint32_t> members;
    for (std::size_t i = 0; i < merged.links.size(); ++i) {
        graph.add_duplex(merged.links[i], merged.latency_back[i]);
        members.insert(members.end(), 2, merged.members[i]);
    }
    fabric.graph = std::move(graph);
    for (auto* vertices : {&fabric.gpus, &fabric.nics, &fabric.nic_of_gpu, &fabric.sockets}) {
        for (auto& vertex : *vertices) {
            vertex = VertexId{found.of[vertex.index()]};
        }
    }
    return {std::move(fabric), std::move(members)};
}

}  // namespace sim::replay

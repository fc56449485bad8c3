#include "fabric/scaled.hpp"

#include <utility>

namespace sim::fabric
{

Fabric scaled(Fabric fabric, const std::function<LinkFactors(LinkKind)>& factors)
{
    Graph graph;
    for (const auto& vertex : fabric.graph.vertices()) {
        graph.add_vertex(vertex);
    }
    const auto& links = fabric.graph.links();
    // Both directions of a cable follow one another.
    for (std::size_t i = 0; i + 1 < links.size(); i += 2) {
        const auto by = factors(links[i].kind);
        auto link = links[i];
        link.bandwidth = link.bandwidth * by.bandwidth;
        link.latency = link.latency * by.latency;
        graph.add_duplex(link, links[i + 1].latency * by.latency);
    }
    fabric.graph = std::move(graph);
    return fabric;
}

}  // namespace sim::fabric

#include <fmt/format.h>

#include "core/diagnostics.hpp"
#include "fabric/catalogue.hpp"
#include "fabric/fabric.hpp"
#include "fabric/hgx_node.hpp"

namespace sim::fabric
{
namespace
{

void require_connected(const Fabric& fabric)
{
    const auto& vertices = fabric.graph.vertices();
    const auto first = fabric.gpus.front();
    const auto distance = fabric.graph.distances_to(first);
    for (const auto gpu : fabric.gpus) {
        if (distance[gpu.index()] == kUnreachable) {
            Diagnostic diagnostic;
            diagnostic.key = "cluster.fabric";
            diagnostic.message =
                fmt::format("{} and {} are not connected (no cable leads from one to the other)",
                            vertices[first.index()].name, vertices[gpu.index()].name);
            diagnostic.hint = "add the spines or cables that join them";
            throw InputError{{diagnostic}};
        }
    }
}

}  // namespace

Fabric build(const spec::ClusterSpec& cluster)
{
    const auto add_network = find_builder(cluster.fabric.kind);
    Fabric fabric;
    fabric.gpus_per_node = cluster.node.gpus;
    for (int node = 0; node < cluster.nodes; ++node) {
        add_hgx_node(fabric, cluster.node, node);
    }
    add_network(fabric, cluster);
    require_connected(fabric);
    return fabric;
}

}  // namespace sim::fabric

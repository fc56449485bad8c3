#include <fmt/format.h>

#include "core/diagnostics.hpp"
#include "fabric/catalogue.hpp"
#include "fabric/fabric.hpp"

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
    const auto& network = network_kind(spec::kind_name(cluster.fabric));
    const auto& node = node_kind(spec::kind_name(cluster.node));
    const auto* custom = std::get_if<spec::CustomSpec>(&cluster.fabric.network);
    Fabric fabric;
    for (int i = 0; i < cluster.nodes; ++i) {
        if (custom != nullptr && !custom->nodes.empty()) {
            const auto own = spec::node_of(cluster, i);
            node.build(fabric, own, custom->nodes[static_cast<std::size_t>(i)].name);
        } else {
            node.build(fabric, cluster.node, "node" + std::to_string(i));
        }
    }
    network.build(fabric, cluster);
    require_connected(fabric);
    return fabric;
}

}  // namespace sim::fabric

#include "fabric/host_path.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace sim::fabric
{
namespace
{

/// Breadth first through switches and sockets to the first vertex that is an end.
std::vector<LinkId> search(const Graph& graph, VertexId from,
                           const std::function<bool(VertexId)>& is_end)
{
    std::map<VertexId, LinkId> reached_by;
    std::vector<VertexId> queue{from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const auto id : graph.out_links(queue[i])) {
            const auto next = graph.links()[id.index()].to;
            const auto kind = graph.vertices()[next.index()].kind;
            const bool end = is_end(next);
            const bool open = end || kind == VertexKind::pcie_switch || kind == VertexKind::cpu;
            if (next == from || !open || !reached_by.emplace(next, id).second) {
                continue;
            }
            if (end) {
                std::vector<LinkId> path;
                for (auto at = next; at != from; at = graph.links()[path.back().index()].from) {
                    path.push_back(reached_by.at(at));
                }
                std::reverse(path.begin(), path.end());
                return path;
            }
            queue.push_back(next);
        }
    }
    return {};
}

}  // namespace

std::vector<LinkId> host_path(const Fabric& fabric, VertexId from, VertexId to)
{
    const auto& graph = fabric.graph;
    const auto to_end = [&](VertexId at) { return at == to; };
    auto direct = search(graph, from, to_end);
    const auto at_socket = [&](VertexId at) {
        return graph.vertices()[at.index()].kind == VertexKind::cpu;
    };
    const bool passes_socket = std::any_of(direct.begin(), direct.end(), [&](LinkId id) {
        return at_socket(graph.links()[id.index()].to);
    });
    if (!fabric.peer_through_root || direct.empty() || passes_socket) {
        return direct;
    }
    auto path = search(graph, from, at_socket);
    if (path.empty()) {
        return direct;
    }
    const auto down = search(graph, graph.links()[path.back().index()].to, to_end);
    path.insert(path.end(), down.begin(), down.end());
    return path;
}

}  // namespace sim::fabric

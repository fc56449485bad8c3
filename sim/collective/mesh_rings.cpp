#include "collective/mesh_rings.hpp"

#include <algorithm>

namespace sim::collective
{

std::vector<std::size_t> zigzag(std::size_t start, std::size_t n)
{
    std::vector<std::size_t> order{start % n};
    for (std::size_t away = 1; order.size() < n; ++away) {
        order.push_back((start + away) % n);
        if (order.size() < n) {
            order.push_back((start + n - away) % n);
        }
    }
    return order;
}

std::vector<std::vector<std::size_t>> disjoint_rings(std::size_t n)
{
    std::vector<std::vector<std::size_t>> rings;
    for (std::size_t start = 0; start < (n - 1) / 2; ++start) {
        // The last position closes the way of the others.
        auto ring = zigzag(start, n - 1);
        ring.push_back(n - 1);
        rings.push_back(ring);
        std::reverse(ring.begin(), ring.end());
        rings.push_back(std::move(ring));
    }
    return rings;
}

bool fully_joined(const fabric::Fabric& fabric, std::span<const GpuId> members)
{
    if (members.size() < 3) {
        return false;
    }
    const auto& graph = fabric.graph;
    for (const auto from : members) {
        const auto links = graph.out_links(fabric.gpus[from.index()]);
        const auto joined = [&](GpuId to) {
            return to == from || std::any_of(links.begin(), links.end(), [&](LinkId link) {
                       return graph.links()[link.index()].to == fabric.gpus[to.index()];
                   });
        };
        if (!std::all_of(members.begin(), members.end(), joined)) {
            return false;
        }
    }
    return true;
}

}  // namespace sim::collective

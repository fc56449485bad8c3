#include "fabric/graph.hpp"

#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <optional>
#include <utility>

#include "core/contract.hpp"

namespace sim::fabric
{

using Adjacency =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, LinkId>;

struct Graph::Impl {
    Adjacency adjacency;
    std::vector<Vertex> vertices;
    std::vector<Link> links;

    /// Parallel links stay apart by a number; searched from `from`, so builders add a cable at the
    /// end with fewer of them.
    [[nodiscard]] std::string suffix(VertexId from, VertexId to) const
    {
        std::size_t parallel = 0;
        for (auto [edge, end] = out_edges(from.index(), adjacency); edge != end; ++edge) {
            parallel += target(*edge, adjacency) == to.index() ? 1 : 0;
        }
        return parallel == 0 ? std::string{} : fmt::format("#{}", parallel + 1);
    }

    LinkId add(Link link, const std::string& name_suffix)
    {
        const LinkId id{links.size()};
        link.name =
            vertices[link.from.index()].name + "->" + vertices[link.to.index()].name + name_suffix;
        add_edge(link.from.index(), link.to.index(), id, adjacency);
        links.push_back(std::move(link));
        return id;
    }

    /// Boost's search cannot end early. Every link has its reverse, so the distance from the target
    /// is the distance to it.
    [[nodiscard]] std::vector<std::uint32_t> search(VertexId target,
                                                    std::optional<VertexId> until) const
    {
        std::vector<std::uint32_t> distance(vertices.size(), kUnreachable);
        std::vector<std::size_t> queue{target.index()};
        distance[target.index()] = 0;
        const auto met = [&] { return until && distance[until->index()] != kUnreachable; };
        for (std::size_t i = 0; i < queue.size() && !met(); ++i) {
            for (auto [edge, end] = out_edges(queue[i], adjacency); edge != end; ++edge) {
                const auto next = boost::target(*edge, adjacency);
                if (distance[next] == kUnreachable) {
                    distance[next] = distance[queue[i]] + 1;
                    queue.push_back(next);
                }
            }
        }
        return distance;
    }
};

Graph::Graph() : impl_{std::make_unique<Impl>()} {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

VertexId Graph::add_vertex(Vertex vertex)
{
    const VertexId id{boost::add_vertex(impl_->adjacency)};
    impl_->vertices.push_back(std::move(vertex));
    return id;
}

LinkId Graph::add_duplex(const Link& link) { return add_duplex(link, link.latency); }

LinkId Graph::add_duplex(const Link& link, Time latency_back)
{
    SIM_EXPECT(link.from.index() < impl_->vertices.size());
    SIM_EXPECT(link.to.index() < impl_->vertices.size());
    const auto suffix = impl_->suffix(link.from, link.to);
    Link back = link;
    std::swap(back.from, back.to);
    back.latency = latency_back;
    const auto id = impl_->add(link, suffix);
    impl_->add(std::move(back), suffix);
    return id;
}

LinkId Graph::reverse(LinkId link) { return LinkId{link.index() ^ 1U}; }

const std::vector<Vertex>& Graph::vertices() const { return impl_->vertices; }
const std::vector<Link>& Graph::links() const { return impl_->links; }

std::vector<LinkId> Graph::out_links(VertexId vertex) const
{
    const auto& adjacency = impl_->adjacency;
    std::vector<LinkId> links;
    links.reserve(out_degree(vertex.index(), adjacency));
    for (auto [edge, end] = out_edges(vertex.index(), adjacency); edge != end; ++edge) {
        links.push_back(adjacency[*edge]);
    }
    return links;
}

std::vector<std::uint32_t> Graph::distances_to(VertexId target) const
{
    return impl_->search(target, std::nullopt);
}

std::vector<std::uint32_t> Graph::distances_to(VertexId target, VertexId from) const
{
    return impl_->search(target, from);
}

}  // namespace sim::fabric

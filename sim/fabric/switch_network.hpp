#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/id.hpp"
#include "fabric/graph.hpp"

namespace sim::fabric
{

/// A number in [0, count) by the high half of the hash, whose bits are the best mixed.
[[nodiscard]] std::size_t choose(std::uint64_t hash, std::size_t count);

/// The switches of a machine and the cables between them, and the shortest paths there.
///
/// A graph of its own, so that a search costs what the network costs and cannot lead through a
/// server. Vertices and links go in and out as the machine's. Answers are kept; not for use by two
/// threads at once.
class SwitchNetwork
{
public:
    using Distances = std::vector<std::uint32_t>;
    /// Which of several links to take.
    using Choose = std::function<LinkId(VertexId at, const std::vector<LinkId>& links)>;

    /// `dead`: by link of the machine, those that carry nothing; empty when all do.
    explicit SwitchNetwork(const Graph& machine, const std::vector<char>& dead = {});

    /// Cables on the way between two switches; kUnreachable when there is none.
    [[nodiscard]] std::uint32_t hops(VertexId from, VertexId to);

    /// One flow over all shortest paths, split at every switch over the next hops in proportion to
    /// their bandwidth; null when there is no path.
    [[nodiscard]] const Route* spread(VertexId from, VertexId to);

    /// The links of the shortest path that `hash` chooses, each next hop with equal chance; nothing
    /// when there is no path.
    [[nodiscard]] std::optional<std::vector<LinkId>> walk(VertexId from, VertexId to,
                                                          std::uint64_t hash);
    /// The same with a choice of one's own: at a switch of `graph()` among links of the machine.
    [[nodiscard]] std::optional<std::vector<LinkId>> walk(VertexId from, VertexId to,
                                                          const Choose& choose_link);

    /// Switches and cables alone, numbered in the order of the machine's.
    [[nodiscard]] const Graph& graph() const { return switches_; }
    [[nodiscard]] VertexId own(VertexId machine) const;
    [[nodiscard]] VertexId machine_vertex(VertexId own) const
    {
        return machine_vertex_[own.index()];
    }
    [[nodiscard]] LinkId machine_link(LinkId own) const { return machine_link_[own.index()]; }

private:
    [[nodiscard]] const Distances& distances(VertexId target);
    [[nodiscard]] std::vector<LinkId> next_links(VertexId at, VertexId target,
                                                 const Distances& distance) const;
    [[nodiscard]] std::optional<Route> compute_spread(VertexId source, VertexId target) const;

    Graph switches_;
    std::vector<VertexId> own_vertex_;      ///< by the machine's vertex
    std::vector<VertexId> machine_vertex_;  ///< by our vertex
    std::vector<LinkId> machine_link_;      ///< by our link
    std::vector<Distances> distances_;      ///< by our target; empty until asked for
    std::unordered_map<std::uint64_t, std::optional<Route>> spreads_;
};

}  // namespace sim::fabric

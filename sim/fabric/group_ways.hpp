#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/switch_network.hpp"
#include "spec/fabric.hpp"

namespace sim::fabric
{

/// Ways of a dragonfly by its groups. A way is minimal when it takes one cable between the groups
/// of its ends, and of those one that needs fewest cables inside them; a shortest path by hops
/// alone may lead through a third group. sim/fabric/routing.md
class GroupWays
{
public:
    using Path = std::vector<LinkId>;

    GroupWays(SwitchNetwork& network, const spec::DragonflySpec& dragonfly);

    /// Spread over all minimal ways; over the shortest paths where dead cables leave none.
    [[nodiscard]] std::optional<Route> minimal(VertexId from, VertexId to);

    /// Evenly through every other group there is, the minimal way into it and on: what packets do
    /// that each draw one. Minimal when both switches are in one group or there is no third.
    [[nodiscard]] std::optional<Route> valiant(VertexId from, VertexId to);

    /// One minimal way.
    [[nodiscard]] std::optional<Path> path(VertexId from, VertexId to,
                                           const SwitchNetwork::Choose& choose_link);

    /// Where the minimal ways into the third group that `hash` draws end; empty when there is none.
    [[nodiscard]] std::vector<VertexId> entries(VertexId from, VertexId to, std::uint64_t hash);

private:
    [[nodiscard]] std::size_t group_of(VertexId machine) const;
    [[nodiscard]] std::vector<std::size_t> groups_between(VertexId from, VertexId to) const;
    /// Links of the machine from one's group into another's that are fewest local cables away from
    /// `from` and, when it is given, `to`.
    [[nodiscard]] Path gates(VertexId from, std::size_t group, std::optional<VertexId> to) const;
    [[nodiscard]] std::vector<VertexId> ends(const Path& gates) const;

    SwitchNetwork& network_;
    std::size_t group_size_;
    std::size_t groups_;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<LinkId>> cables_;  ///< of our graph
    std::map<LinkId, LinkId> own_;  ///< of those, by link of the machine
};

}  // namespace sim::fabric

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fabric/dimension_order.hpp"
#include "fabric/fabric.hpp"
#include "fabric/group_ways.hpp"
#include "fabric/switch_network.hpp"
#include "fabric/up_down.hpp"

namespace sim::fabric
{

/// A way between two NICs: by which port out and in, and how much of the flow.
struct PortPair {
    LinkId out;
    LinkId in;  ///< as the receiver would send through it
    double share;
};

/// What a hash sees of a flow.
struct FlowIdentity {
    std::uint64_t nics = 0;  ///< the addresses of the two NICs
    std::uint64_t flow = 0;  ///< and what else tells it from others: GPUs and label
};

/// Queue pairs on each link of the machine, as fractions of them add up; empty: nothing runs.
using LinkLoads = std::span<const double>;

/// The part of a route between the NICs, by the routing that the fabric asks for.
class NetworkRoutes
{
public:
    NetworkRoutes(const Fabric& fabric, const spec::FabricSpec& spec,
                  const std::vector<char>& dead);
    NetworkRoutes(const NetworkRoutes&) = delete;  // its parts refer to each other
    NetworkRoutes& operator=(const NetworkRoutes&) = delete;

    /// Cables between two switches; kUnreachable when there are none.
    [[nodiscard]] std::uint32_t hops(VertexId from, VertexId to) { return network_.hops(from, to); }

    /// Adds the hops from the sender's ports to the receiver's; false when there is no path.
    [[nodiscard]] bool append(Route& route, const std::vector<PortPair>& pairs,
                              const FlowIdentity& identity, LinkLoads loads);

private:
    using Path = std::vector<LinkId>;

    /// One flow's queue pairs, as they are placed one after another.
    struct Placing {
        LinkLoads loads;
        std::map<LinkId, double> carried;  ///< queue pairs of this flow
    };

    [[nodiscard]] const Link& link(LinkId id) const { return graph_.links()[id.index()]; }
    [[nodiscard]] const Route* spread(VertexId from, VertexId to);
    [[nodiscard]] bool append_spread(Route& route, const std::vector<PortPair>& pairs);
    [[nodiscard]] bool append_tabled(Route& route, const std::vector<PortPair>& pairs);
    [[nodiscard]] bool append_queue_pairs(Route& route, const std::vector<PortPair>& pairs,
                                          const FlowIdentity& identity, LinkLoads loads);
    [[nodiscard]] std::uint64_t hash_of(const FlowIdentity& identity, int queue_pair) const;
    [[nodiscard]] std::optional<Path> path(const PortPair& pair, std::uint64_t hash,
                                           const Placing& placing);
    [[nodiscard]] SwitchNetwork::Choose least_loaded(std::uint64_t hash,
                                                     const Placing& placing) const;
    [[nodiscard]] std::optional<Path> by_load(const PortPair& pair, std::uint64_t hash,
                                              const Placing& placing);
    [[nodiscard]] double load(LinkId id, const Placing& placing) const;
    [[nodiscard]] double delay(const Path& path, const Placing& placing) const;
    void number_ports(const Fabric& fabric);

    const Graph& graph_;
    spec::FabricSpec spec_;
    SwitchNetwork network_;
    std::optional<UpDown> up_down_;
    std::optional<DimensionOrder> dimension_order_;
    std::optional<GroupWays> group_ways_;
    std::map<LinkId, std::uint64_t> number_of_port_;  ///< up_down alone: leaf by leaf
    std::map<std::pair<VertexId, VertexId>, std::optional<Route>> spreads_;
};

}  // namespace sim::fabric

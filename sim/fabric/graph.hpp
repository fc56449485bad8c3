#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"

namespace sim::fabric
{

/// `leaf` is also a switch of a network without tiers (torus, dragonfly); `cpu` is a socket with
/// its root complex.
enum class VertexKind : std::uint8_t { gpu, nvswitch, pcie_switch, nic, leaf, spine, core, cpu };

/// The classes an architect upgrades; utilisation and elasticity are reported per class.
/// `peer` joins switches of one tier, `global` groups of a dragonfly, `socket` the CPUs of a node.
enum class LinkKind : std::uint8_t {
    nvlink,
    pcie,
    nic,
    leaf_spine,
    spine_core,
    peer,
    global,
    socket,
    c2c
};

struct Vertex {
    VertexKind kind;
    std::string name;  ///< unique: "node3/gpu5", "leaf0", "spine1"
};

/// Of the network: passes traffic on between NICs.
[[nodiscard]] constexpr bool is_switch(VertexKind kind)
{
    return kind == VertexKind::leaf || kind == VertexKind::spine || kind == VertexKind::core;
}

inline constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max();

/// One direction. `cables` parallel links of the same two ends may be one Link when routing spreads
/// evenly; `bandwidth` is then their sum.
struct Link {
    VertexId from;
    VertexId to;
    LinkKind kind;
    Bandwidth bandwidth{};  ///< payload: line rate times efficiency
    Time latency{};         ///< of crossing it and entering `to`
    std::string name;       ///< given by Graph: "leaf0->spine1", further parallel ones "...#2"
    std::uint32_t cables = 1;
};

/// A share of a flow on a link.
struct Hop {
    LinkId link;
    double fraction;  ///< in (0, 1]
};

/// How one flow crosses the machine. Over each cut between source and destination the fractions sum
/// to 1.
struct Route {
    std::vector<Hop> hops;
    Time latency{};  ///< of the longest path used
    /// What a Router was asked.
    GpuId from{};
    GpuId to{};
    std::uint64_t label = 0;
};

/// The machine as a directed multigraph; Boost.Graph inside.
class Graph
{
public:
    Graph();
    ~Graph();
    Graph(Graph&&) noexcept;
    Graph& operator=(Graph&&) noexcept;

    VertexId add_vertex(Vertex vertex);
    /// Adds both directions (full duplex) and returns the one from -> to; the other is the next id.
    LinkId add_duplex(const Link& link);
    /// The same when the way back has another latency (a NIC charges its sender alone).
    LinkId add_duplex(const Link& link, Time latency_back);

    /// The other direction of the same cable.
    [[nodiscard]] static LinkId reverse(LinkId link);

    [[nodiscard]] const std::vector<Vertex>& vertices() const;
    [[nodiscard]] const std::vector<Link>& links() const;

    /// Links that leave a vertex, in the order they were added.
    [[nodiscard]] std::vector<LinkId> out_links(VertexId vertex) const;

    /// Hop distance of every vertex to `target` (or kUnreachable), by breadth-first search.
    [[nodiscard]] std::vector<std::uint32_t> distances_to(VertexId target) const;
    /// The same, but the search ends where it meets `from`: vertices as far as it or farther may be
    /// left kUnreachable.
    [[nodiscard]] std::vector<std::uint32_t> distances_to(VertexId target, VertexId from) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sim::fabric

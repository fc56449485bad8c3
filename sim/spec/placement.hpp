#pragma once

#include <cstdint>
#include <vector>

namespace sim::spec
{

/// Which GPU each rank runs on. sim/fabric/placement.md
struct PlacementSpec {
    enum class Order : std::uint8_t {
        packed,       ///< as the machine numbers them
        round_robin,  ///< dealt out: nodes over the first switches, single ranks over the nodes
        random,       ///< shuffled by the experiment's seed
        listed,       ///< `hosts`, each filled before the next
    };
    /// What is moved about: whole nodes, or ranks one by one.
    enum class Unit : std::uint8_t { node, rank };

    Order order = Order::packed;
    Unit unit = Unit::node;
    std::vector<int> hosts{};  ///< numbers of nodes, of `listed` alone
    friend bool operator==(const PlacementSpec&, const PlacementSpec&) = default;
};

}  // namespace sim::spec

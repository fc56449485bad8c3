#pragma once

#include <optional>

#include "core/quantity.hpp"

namespace sim::spec
{

/// How the switches choose among the ways to a destination. sim/fabric/routing.md
enum class Routing {
    even,             ///< every flow spread over all shortest paths: sprayed packet by packet
    ecmp,             ///< every queue pair hashed to one shortest path, by seed
    up_down,          ///< one table a switch and destination, up and then down
    dimension_order,  ///< of a torus: side after side, the shorter way round
    minimal,          ///< of a dragonfly: spread over the ways with one cable between groups
    valiant,          ///< of a dragonfly: through every other group
    adaptive,         ///< every queue pair by the least loaded links of the shortest paths
    ugal,             ///< of a dragonfly: the minimal way or through one other group, by load
};

/// Every queue pair of a flow takes one path, so parallel cables are told apart.
[[nodiscard]] constexpr bool takes_single_paths(Routing routing)
{
    return routing == Routing::ecmp || routing == Routing::up_down ||
           routing == Routing::adaptive || routing == Routing::ugal;
}

/// Looks at what else runs when a flow starts.
[[nodiscard]] constexpr bool depends_on_load(Routing routing)
{
    return routing == Routing::adaptive || routing == Routing::ugal;
}

/// Draws by the seed of the experiment.
[[nodiscard]] constexpr bool depends_on_seed(Routing routing)
{
    return routing == Routing::ecmp || depends_on_load(routing);
}

/// What a switch's hash tells apart.
enum class HashedBy {
    queue_pair,  ///< each has a source port of its own
    connection,  ///< its queue pairs share a source port
    nic_pair,    ///< addresses alone: all that two NICs send goes one way
};

/// What a connection consists of on the wire.
struct QueuePairSpec {
    int per_connection = 1;
    HashedBy hashed_by = HashedBy::queue_pair;
    std::optional<Bandwidth> rate{};  ///< most payload of one, whatever the links could carry
    friend bool operator==(const QueuePairSpec&, const QueuePairSpec&) = default;
};

}  // namespace sim::spec

#pragma once

#include <optional>

#include "collective/schedule.hpp"
#include "spec/collective.hpp"

namespace sim::collective
{

/// A group, as far as the library's costs depend on it.
struct GroupShape {
    std::size_t ranks = 0;
    std::size_t nodes = 0;
    std::size_t per_node = 0;  ///< members on the node with the fewest
    Bandwidth nvlink{};        ///< one member's, to its own node
    Bandwidth network{};       ///< what the rings of one node get of its NICs together
};

/// What a protocol adds to the wires' own time.
struct ProtocolCost {
    Time latency{};
    double share = 1;    ///< payload in the bytes on the wire
    double ceiling = 0;  ///< bytes/s of bus bandwidth; 0: none
    double fill = 0;     ///< bytes of size that pass before the pipeline is full
};

/// Cost of an algorithm with a protocol, by the equations of sim/collective/tuning.md. Nothing when
/// the library does not use the protocol there.
[[nodiscard]] std::optional<ProtocolCost> protocol_cost(const spec::CollectiveTuning& tuning,
                                                        const GroupShape& group, Kind kind,
                                                        Algorithm algorithm,
                                                        spec::Protocol protocol, double size);

/// Bytes of bus bandwidth per byte of size: what nccl-tests multiplies algbw with.
[[nodiscard]] double bus_factor(Kind kind, std::size_t ranks);

/// One hop of a protocol between the members that are farthest apart.
[[nodiscard]] Time widest_hop(const spec::CollectiveTuning& tuning, const GroupShape& group,
                              const spec::ProtocolSpec& protocol);

}  // namespace sim::collective

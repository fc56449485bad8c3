#pragma once

#include <cstdint>
#include <optional>

namespace sim::spec
{

/// How closely a collective is simulated; sim/replay/fidelity.md compares the three.
enum class Fidelity : std::uint8_t {
    analytic,  ///< its lower bound as a pure latency: no contention
    flow,      ///< what moves in step is one activity
    chunk,     ///< every step of every chunk is an activity
};

/// One fidelity for all collectives, and others for some kinds.
struct FidelitySpec {
    Fidelity otherwise = Fidelity::flow;
    std::optional<Fidelity> all_reduce{};
    std::optional<Fidelity> all_gather{};
    std::optional<Fidelity> reduce_scatter{};
    std::optional<Fidelity> all_to_all{};
    std::optional<Fidelity> broadcast{};
    std::optional<Fidelity> send_recv{};
};

}  // namespace sim::spec

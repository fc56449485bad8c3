#pragma once

#include <cstdint>
#include <vector>

#include "collective/schedule.hpp"

namespace sim::collective
{

/// In step `step` the member at position `from` of the ring sends a chunk to the one after it.
struct Step {
    std::uint32_t step;
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t chunk;  ///< of the buffer's n equal parts
    bool reduce;          ///< the receiver adds it to its own; else it replaces it
};

[[nodiscard]] std::uint32_t ring_step_count(Kind kind, std::uint32_t members);

/// What a ring does, step by step, ascending in (step, from). In reduce_scatter the member at
/// position i ends with chunk i whole; in all_gather it begins with it. Empty for send_recv, which
/// is no ring.
[[nodiscard]] std::vector<Step> ring_steps(Kind kind, std::uint32_t members);

}  // namespace sim::collective

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/trace.hpp"

namespace sim::formats
{

/// The dependences of one rank's nodes the other way round, and an order that keeps to them.
struct RankTopology {
    std::vector<std::uint32_t> order;  ///< nodes; of those that are free, the lowest id first
    std::vector<std::uint32_t> place;  ///< by node: where it is in `order`
    std::vector<std::uint32_t> first;  ///< by node, and one more: its dependents in `all`
    std::vector<std::uint32_t> all;

    [[nodiscard]] std::span<const std::uint32_t> dependents(std::uint32_t node) const
    {
        return {all.data() + first[node], first[node + 1] - first[node]};
    }
};

/// Throws InputError that names the nodes of a cycle.
[[nodiscard]] RankTopology sort_rank(const Trace& trace, std::uint32_t rank);

}  // namespace sim::formats

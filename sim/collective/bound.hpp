#pragma once

#include <vector>

#include "collective/schedule.hpp"
#include "fabric/graph.hpp"

namespace sim::collective
{

/// Time no sharing of the links can beat, and the link that says so.
struct Bound {
    Time time{};
    LinkId link{};
};

/// Phase by phase: no flow ends before its own latency and slowest link allow, and no link before
/// the earliest of its flows has begun and all their bytes have passed. `link` is the one that
/// binds the longest phase.
[[nodiscard]] Bound lower_bound(const std::vector<Phase>& phases, const fabric::Graph& graph);

}  // namespace sim::collective

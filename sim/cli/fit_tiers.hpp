#pragma once

#include <string>

#include "sweep/residence_search.hpp"
#include "sweep/tier_frontier.hpp"

namespace sim::cli
{

/// The frontier as a table with its verdict, as CSV or as JSON.
[[nodiscard]] std::string frontier_text(const sweep::Frontier& frontier, const std::string& format);

/// The policy that was found, ready to be written into the workload, and its step.
[[nodiscard]] std::string placement_text(const sweep::ResidenceSearch& found);

}  // namespace sim::cli

#pragma once

#include <string>

#include "sweep/tier_frontier.hpp"

namespace sim::cli
{

/// The frontier as a table with its verdict, as CSV or as JSON.
[[nodiscard]] std::string frontier_text(const sweep::Frontier& frontier,
                                        const std::string& format);

}  // namespace sim::cli

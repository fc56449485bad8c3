#pragma once

#include <string>

#include "formats/trace_summary.hpp"

namespace sim::cli
{

/// What a recorded job holds, for people.
[[nodiscard]] std::string trace_table(const formats::TraceSummary& summary);

}  // namespace sim::cli

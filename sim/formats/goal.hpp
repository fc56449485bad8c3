#pragma once

#include <string>

#include "formats/trace.hpp"

namespace sim::formats
{

/// True for a GOAL schedule's text: it begins with num_ranks.
[[nodiscard]] bool is_goal(const std::string& content);

/// A GOAL schedule. calc is nanoseconds on a CPU, which does one thing at a time; sizes are bytes;
/// labels are a rank's own and may come later. Throws InputError with lines.
[[nodiscard]] Trace read_goal(const std::string& name, const std::string& content);

}  // namespace sim::formats

#pragma once

#include <string>

#include "core/diagnostics.hpp"

namespace sim::formats
{

/// A mistake of a whole file: nobody can say in which line.
[[nodiscard]] Diagnostic about(const std::string& file, std::string message, std::string hint = {});

}  // namespace sim::formats

#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics.hpp"

namespace sim::engine
{

/// Diagnostics as bytes between two processes of the same program: not a file format.
[[nodiscard]] std::string to_wire(const Diagnostics& diagnostics);
[[nodiscard]] Diagnostics diagnostics_from_wire(std::string_view bytes);

}  // namespace sim::engine

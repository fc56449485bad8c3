#pragma once

#include <string>

#include "replay/run.hpp"

namespace sim::replay
{

/// A Result as plain bytes, to cross a process boundary of one machine: native byte order, doubles
/// bit for bit. Starts with a version.
[[nodiscard]] std::string to_bytes(const Result& result);

/// Throws Error when the bytes are cut short or of another version.
[[nodiscard]] Result from_bytes(const std::string& bytes);

}  // namespace sim::replay

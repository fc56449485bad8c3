#pragma once

#include <string>

#include "formats/trace.hpp"

namespace sim::formats
{

/// Writes PREFIX.N.et of every rank and PREFIX.json with the groups, Chakra 0.0.4, into the folder,
/// which is made when there is none. What the schema has no field for (exact times, lanes) is in
/// attributes of our own, so that reading it back gives the same trace. Throws Error.
void write_chakra(const Trace& trace, const std::string& folder, const std::string& prefix);

/// The content of PREFIX.N.et.
[[nodiscard]] std::string chakra_file(const Trace& trace, std::uint32_t rank);

}  // namespace sim::formats

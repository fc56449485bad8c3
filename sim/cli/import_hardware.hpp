#pragma once

#include <string>

#include "core/diagnostics.hpp"
#include "formats/topology_write.hpp"

namespace sim::cli
{

/// The folder of hardware files that is given, or the `configs/hardware` of the nearest folder at
/// or above here. Throws InputError when there is none.
[[nodiscard]] std::string find_hardware(const std::string& given);

/// Complains about every named part that has no file in the folder.
[[nodiscard]] Diagnostics check_parts(const formats::TopologyParts& parts,
                                      const std::string& hardware);

/// How a file at `output` (or here, when empty) writes the way to the folder.
[[nodiscard]] std::string seen_from(const std::string& output, const std::string& hardware);

}  // namespace sim::cli

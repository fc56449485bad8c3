#pragma once

#include <cstdint>
#include <string>

#include "formats/trace.hpp"

namespace sim::formats
{

/// True for the text workloads of ASTRA-sim 1.0 and SimAI: a keyword, a number of layers, a line a
/// layer.
[[nodiscard]] bool is_layer_workload(const std::string& content);

/// One training step of `gpus` ranks; layer_workload.md has the order of things. Times are
/// nanoseconds (ASTRA-sim's cycle is 1 ns). Throws InputError with lines.
[[nodiscard]] Trace read_layer_workload(const std::string& name, const std::string& content,
                                        std::uint32_t gpus);

}  // namespace sim::formats

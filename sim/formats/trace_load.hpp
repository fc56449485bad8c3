#pragma once

#include <cstdint>
#include <optional>

#include "formats/trace.hpp"
#include "spec/trace.hpp"

namespace sim::formats
{

/// Reads the recorded job that `trace` names, in whatever format it is. `gpus` is what the cluster
/// has: the number of ranks of a format that does not tell it. Throws Error, InputError.
[[nodiscard]] Trace load_trace(const spec::TraceSpec& trace, std::uint32_t gpus);

/// The same, whatever the number of ranks; `gpus` absent: one of a format that does not tell is
/// refused.
[[nodiscard]] Trace read_trace(const spec::TraceSpec& trace, std::optional<std::uint32_t> gpus);

}  // namespace sim::formats

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/trace.hpp"

namespace sim::formats
{

/// True for AICB's CSV of collectives: its columns' heading, or the line of ranks before it.
[[nodiscard]] bool is_aicb(const std::string& beginning);

/// What AICB's ranks send, row after row; aicb.md has the rules. `gpus` is the number of ranks of a
/// file that does not tell it. Throws InputError with lines.
[[nodiscard]] Trace read_aicb(const std::string& name, const std::string& content,
                              std::optional<std::uint32_t> gpus);

}  // namespace sim::formats

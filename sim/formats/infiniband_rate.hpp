#pragma once

#include <optional>
#include <string_view>

#include "core/quantity.hpp"

namespace sim::formats
{

/// What "4xNDR" carries per direction after its line code; nothing for any other word.
/// InfiniBand Architecture Specification, volume 2: lanes of 2.5, 5 and 10 Gb/s with 8b/10b, of
/// 10.3125, 14.0625 and 25.78125 Gb/s with 64b/66b; HDR, NDR and XDR are named by their data rate.
[[nodiscard]] std::optional<Bandwidth> infiniband_rate(std::string_view word);

}  // namespace sim::formats

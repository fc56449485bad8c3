#include "cli/comm_size.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/diagnostics.hpp"

namespace sim::cli
{

Bytes parse_comm_size(const std::string& text, const std::string& key)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
    double factor = 1;
    constexpr std::string_view kPrefixes = "KMGT";
    if (!unit.empty()) {
        const auto upper = static_cast<char>(unit.front() & ~0x20);
        if (const auto power = kPrefixes.find(upper); power != std::string_view::npos) {
            factor = std::pow(1024.0, static_cast<double>(power + 1));
            unit.remove_prefix(1);
            if (unit == "iB" || unit == "i") {
                unit = "";
            }
        }
    }
    const double bytes = number * factor;
    const bool fits =
        bytes >= 0 && bytes < static_cast<double>(std::numeric_limits<std::int64_t>::max());
    if (error != std::errc{} || !fits || !(unit.empty() || unit == "B" || unit == "b")) {
        sim::refuse(key, fmt::format("\"{}\" is not a size", text),
                    "write bytes, or 8K, 64M, 16G (powers of 1024, as nccl-tests)");
    }
    return Bytes::of(static_cast<std::int64_t>(bytes));
}

}  // namespace sim::cli

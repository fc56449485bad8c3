#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim
{

/// The names of "node[01-03,7],login", in that order and with their leading zeros; at most
/// `kMostHosts`. Nothing when a bracket is not closed or a range runs backwards.
[[nodiscard]] std::optional<std::vector<std::string>> expand_hostlist(std::string_view text);

inline constexpr std::size_t kMostHosts = 1U << 20U;

}  // namespace sim

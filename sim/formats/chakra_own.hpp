#pragma once

#include <string_view>

namespace sim::formats
{

// Attributes that only our files have (chakra.md).
inline constexpr std::string_view kOwnSeconds = "weftsim_seconds";  ///< exact, in double_val
inline constexpr std::string_view kOwnLane = "weftsim_lane";
inline constexpr std::string_view kOwnHost = "weftsim_host";
inline constexpr std::string_view kOwnCopies = "weftsim_copies";
inline constexpr std::string_view kOwnSize = "weftsim_size";  ///< bytes, as nccl-tests' "size"
inline constexpr std::string_view kOwnBytes = "weftsim_bytes";
inline constexpr std::string_view kOwnFlops = "weftsim_flops";

}  // namespace sim::formats

#pragma once

#include <array>
#include <cstdint>

namespace sim
{

/// Philox2x64-10: a bijection of 128-bit blocks under a 64-bit key, ten rounds.
///
/// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 3.4.
/// The same key and counter give the same block on every machine; nothing else is remembered.
[[nodiscard]] std::array<std::uint64_t, 2> philox2x64(std::array<std::uint64_t, 2> counter,
                                                      std::uint64_t key);

}  // namespace sim

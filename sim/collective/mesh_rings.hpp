#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/id.hpp"
#include "fabric/fabric.hpp"

namespace sim::collective
{

/// Positions 0 .. n-1 in an order that goes to and fro: start, start + 1, start - 1, start + 2, ...
/// modulo n. For even n it ends at start + n / 2, and the n orders use every directed pair once.
[[nodiscard]] std::vector<std::size_t> zigzag(std::size_t start, std::size_t n);

/// Rings over n positions that share no directed pair: Walecki's cycles (Lucas 1882), both ways
/// round. n - 1 rings for odd n and n - 2 for even n, which leaves out a perfect matching.
[[nodiscard]] std::vector<std::vector<std::size_t>> disjoint_rings(std::size_t n);

/// Links between positions, in units of the slowest: [from][to].
using Joins = std::vector<std::vector<int>>;

/// As many rings as a search finds that use no unit of a link twice, both ways round; none when
/// there is no way round all positions. It gives up after a fixed number of tries, and looks at 16
/// positions at most.
[[nodiscard]] std::vector<std::vector<std::size_t>> searched_rings(const Joins& joins);

[[nodiscard]] Joins joins_of(const fabric::Fabric& fabric, std::span<const GpuId> members);

/// True when every two of three members or more are joined by a link of their own.
[[nodiscard]] bool fully_joined(const fabric::Fabric& fabric, std::span<const GpuId> members);

}  // namespace sim::collective

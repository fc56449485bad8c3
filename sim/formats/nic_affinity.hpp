#pragma once

#include <vector>

namespace sim::formats
{

/// For each GPU the NIC nearest to it; of equally near ones the one that serves fewest GPUs so far,
/// then the first. distance[gpu][nic]; smaller is nearer.
[[nodiscard]] std::vector<int> nearest_nics(const std::vector<std::vector<int>>& distance);

}  // namespace sim::formats

#pragma once

#include <vector>

#include "spec/node.hpp"

namespace sim::formats
{

/// Direct or bonded links between two GPUs of a node.
struct GpuPair {
    int first = 0;
    int second = 0;
    int links = 1;
};

/// What joins GPUs that a tool lists by pairs. Through NVSwitches each pair shows all links of a
/// GPU; no GPU has more than 18 (NVLink 4 and 5), so pairs that are alike and together show more
/// are switched, and all others are cables. No pair: PCIe alone.
[[nodiscard]] spec::ScaleUp scale_up_of(int gpus, const std::vector<GpuPair>& pairs);

}  // namespace sim::formats

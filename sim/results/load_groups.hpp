#pragma once

#include <vector>

#include "replay/observed.hpp"
#include "results/document.hpp"

namespace sim::results
{

/// What groups of ranks send each other, and the network's boxes and cables with their load.
[[nodiscard]] Group group_traffic_group(const std::vector<replay::GroupTraffic>& traffic);
[[nodiscard]] Group load_boxes_group(const replay::LoadMap& map);
[[nodiscard]] Group load_ways_group(const replay::LoadMap& map);

}  // namespace sim::results

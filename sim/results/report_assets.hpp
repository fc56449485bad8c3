#pragma once

#include <string_view>

namespace sim::results::assets
{

/// Files of sim/results/report, as they were when weftsim was built.
[[nodiscard]] std::string_view page();
[[nodiscard]] std::string_view style();
[[nodiscard]] std::string_view script();
[[nodiscard]] std::string_view load_map();
/// Apache ECharts; empty when scripts/fetch-echarts had not fetched it.
[[nodiscard]] std::string_view charts();

}  // namespace sim::results::assets

#pragma once

#include <array>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/points.hpp"

namespace sim::results
{

[[nodiscard]] std::vector<std::string> entry_names();

/// Of a footprint, in the order of `content_names`.
[[nodiscard]] std::array<Bytes, 6> contents(const workload::Footprint& footprint);
[[nodiscard]] std::vector<std::string> content_names();

/// Of a run's only point: every rank class, and which class each rank is in.
[[nodiscard]] Group classes_group(const Points& points);

/// Of a run's only point: memory of every pipeline stage.
[[nodiscard]] Group stages_group(const Points& points);

}  // namespace sim::results

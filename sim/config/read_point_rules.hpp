#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/map_reader.hpp"
#include "config/read_axes.hpp"
#include "spec/sweep.hpp"

namespace sim::config
{

/// `derive`, `include`, `exclude` and every axis's `when`, their expressions checked against what
/// the axes of `sweep` name.
void read_point_rules(MapReader& reader, const std::set<std::string>& offered,
                      spec::SweepSpec& sweep);

/// `plans`: degrees and lists of the parallel plan to try.
[[nodiscard]] std::vector<spec::PlanKey> read_plans(MapReader& reader);

/// `objective` and `search`.
void read_search(MapReader& reader, spec::SweepSpec& sweep);

/// `sample`: so many points drawn from all axes, as one axis called "point". Without it the axes as
/// they are; a range without steps is then a mistake.
[[nodiscard]] std::vector<spec::Axis> read_sample(MapReader& reader, std::vector<AxisReading> axes);

}  // namespace sim::config

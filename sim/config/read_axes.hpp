#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/axis_range.hpp"
#include "config/map_reader.hpp"
#include "spec/sweep.hpp"

namespace sim::config
{

/// An axis as written; a range without steps has no values until it is sampled.
struct AxisReading {
    spec::Axis axis;
    Mark mark;
    std::optional<Range> continuous;
};

/// The mapping `axes`, and the list `points` as one more axis called "point". Keys must be among
/// `offered`. Mistakes go to the reader's report.
[[nodiscard]] std::vector<AxisReading> read_axes(MapReader& reader,
                                                 const std::set<std::string>& offered);

/// Reports a key that the experiment does not have.
void check_key(Report& report, const Mark& mark, const std::string& path, const std::string& key,
               const std::set<std::string>& offered);

/// The text a setting gets. Values that are paths stand in the sweep file but are used from the
/// command line's folder.
[[nodiscard]] std::string setting_text(const std::string& key, const Node& value);

/// True when the value of the key is a file's path.
[[nodiscard]] bool is_path(const std::string& key);

}  // namespace sim::config

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/report.hpp"
#include "config/shape.hpp"

namespace sim::config
{

/// Numbers from one end to another, both with the same unit or none.
struct Range {
    double from = 0;
    double to = 0;
    bool logarithmic = false;  ///< equal ratios between neighbours rather than equal differences
    std::string unit;

    /// At `part` of the way, as text; 0 is `from` and 1 is `to`.
    [[nodiscard]] std::string at(double part) const;
};

/// A range with its steps. Without any it is continuous, to be sampled.
struct Steps {
    Range range;
    std::optional<std::vector<std::string>> values;
};

/// What `read_range` takes.
[[nodiscard]] Shape range_shape();

/// `{ from: 100 Gbps, to: 1.6 Tbps, factor: 2 }`, with `step`, `factor` or `count` (and `scale:
/// log`), or with none of them. Nothing when there is a mistake, which is reported.
[[nodiscard]] std::optional<Steps> read_range(Report& report, const Node& node,
                                              const std::string& path);

}  // namespace sim::config

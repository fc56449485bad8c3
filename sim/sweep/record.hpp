#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "results/result_set.hpp"

namespace sim::sweep
{

/// A finished point as it is kept: what its result set needs, and no more.
struct Record {
    std::uint64_t id = 0;
    results::Point point;
};

/// Every run's ranks as one class of their means, and of the stages the fullest: what a sweep's
/// file tells of a point.
[[nodiscard]] results::Point reduced(const results::Point& point);

/// One line: the checksum of the rest, then JSON. Numbers are exact.
[[nodiscard]] std::string to_line(const Record& record);

/// Nothing when the line is damaged or cut off.
[[nodiscard]] std::optional<Record> from_line(const std::string& line);

}  // namespace sim::sweep

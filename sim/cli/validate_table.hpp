#pragma once

#include <string>
#include <vector>

#include "cli/validate_rows.hpp"

namespace sim::cli
{

/// Per set: rows, and the median and 90th percentile of |error| by size; then all sets together,
/// and what was not simulated and why. Only healthy rows count.
[[nodiscard]] std::string validation_table(const std::vector<ValidatedRow>& rows);

/// All sets together by size, as a table for a page.
[[nodiscard]] std::string validation_summary(const std::vector<ValidatedRow>& rows);

/// Every row of the file with what was simulated for it.
[[nodiscard]] std::string validation_csv(const CsvTable& table,
                                         const std::vector<ValidatedRow>& rows);

}  // namespace sim::cli

#pragma once

#include <string>
#include <vector>

#include "cli/copy_run.hpp"
#include "results/document.hpp"

namespace sim::cli
{

/// "hbm:dram"
[[nodiscard]] std::string way_of(const CopyRow& row);

/// A row for each copy and group of ranks that do it alike; `cluster` is the file.
[[nodiscard]] results::Document copy_document(const std::vector<CopyRow>& rows,
                                              const std::string& cluster);

}  // namespace sim::cli

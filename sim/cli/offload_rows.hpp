#pragma once

#include <string>
#include <vector>

#include "cli/csv_reader.hpp"

namespace sim::cli
{

/// A published figure of offload, and what is predicted for it.
struct OffloadRow {
    std::string set;
    std::string name;
    std::string use;  ///< "blind", "fitted"
    std::string unit;
    double measured = 0;
    double predicted = 0;

    [[nodiscard]] double error() const { return predicted / measured - 1; }
};

/// Each row by its kind: `run` simulates an experiment, `copy` and `seconds` the copies of its
/// `way` one after the other. Files are relative to `folder`.
[[nodiscard]] std::vector<OffloadRow> offload_rows(const CsvTable& table,
                                                   const std::string& folder);

}  // namespace sim::cli

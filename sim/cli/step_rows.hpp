#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/csv_reader.hpp"
#include "config/measured_steps.hpp"
#include "replay/run.hpp"

namespace sim::cli
{

/// A measured training step beside the simulated one.
struct StepRow {
    std::size_t row = 0;  ///< in the file
    std::string source;
    std::string sweep;  ///< rows of one sweep differ in their plan alone
    std::string setup;  ///< everything but the source: the same for a repeated measurement
    std::optional<double> measured;                 ///< seconds
    std::optional<double> predicted;                ///< seconds
    std::string reason;                             ///< why there is no prediction
    std::string assumed;                            ///< what the table of systems added to the row
    std::array<double, replay::kEntries> ledger{};  ///< seconds, mean over the ranks

    /// Predicted over measured, less one.
    [[nodiscard]] std::optional<double> error() const;
};

struct StepSelection {
    std::string source = "*";  ///< rows of other sources are left out; a * stands for anything
    std::string grade = "*";
};

/// Simulates the rows of a file with the columns of tests/validation/training_steps.csv. Other rows
/// keep the reason why not.
[[nodiscard]] std::vector<StepRow> step_rows(const CsvTable& table,
                                             const std::vector<config::StepRule>& rules,
                                             const StepSelection& selection);

/// Per source: rows, median and 90th percentile of |error|, rank correlation within sweeps; then
/// their averages and what has no prediction and why.
[[nodiscard]] std::string step_table(const CsvTable& table, const std::vector<StepRow>& rows);

/// How errors bend with the size of the model, the weight of attention, the number of GPUs and the
/// tensor ranks, as a table for a page.
[[nodiscard]] std::string step_curves(const CsvTable& table, const std::vector<StepRow>& rows);

/// The same for gnuplot: per bin the median error and where four fifths of the rows lie.
[[nodiscard]] std::string step_picture(const CsvTable& table, const std::vector<StepRow>& rows);

/// Every row with its prediction, its ledger and what was assumed.
[[nodiscard]] std::string step_csv(const CsvTable& table, const std::vector<StepRow>& rows);

}  // namespace sim::cli

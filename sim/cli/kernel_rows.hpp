#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/csv_reader.hpp"
#include "spec/gpu.hpp"

namespace sim::cli
{

/// A measured kernel beside what the model says of it, in the unit it was measured in.
struct KernelRow {
    std::size_t row = 0;  ///< in the file
    std::string set;      ///< the kind and the library, as the file names them
    std::optional<double> measured;
    std::optional<double> predicted;
    std::string reason;   ///< why there is no prediction
    bool fitted = false;  ///< the GPU's constants were fitted to rows like it

    /// Predicted over measured, less one.
    [[nodiscard]] std::optional<double> error() const;
};

/// Predicts the rows of a file with the columns of tests/validation/kernels.csv: matrix products,
/// attention and tiny kernels. Other rows keep the reason why not.
[[nodiscard]] std::vector<KernelRow> kernel_rows(const CsvTable& table,
                                                 const std::map<std::string, spec::GpuSpec>& gpus);

/// One of them on a given GPU.
[[nodiscard]] KernelRow kernel_row(const CsvTable& table, std::size_t row,
                                   const spec::GpuSpec& gpu);

/// Per set: rows, median and 90th percentile of |error|; then what has no prediction and why.
[[nodiscard]] std::string kernel_table(const CsvTable& table, const std::vector<KernelRow>& rows);

/// The file with a column for the prediction, one for its error in percent and one for the reason.
[[nodiscard]] std::string kernel_csv(const CsvTable& table, const std::vector<KernelRow>& rows);

}  // namespace sim::cli

#pragma once

#include <string>
#include <vector>

#include "cli/step_rows.hpp"

namespace sim::cli
{

/// Rows of which something lies between two edges, and the errors they have, in order.
struct StepBin {
    std::string range;  ///< "8 to 64"
    std::vector<double> errors;
};

/// Something that errors may bend with.
struct StepAxis {
    std::string name;
    std::vector<StepBin> bins;  ///< those with rows
};

/// By the size of the model, the weight of attention, the number of GPUs, and the tensor ranks,
/// which say over how many of a node's NICs a data ring goes.
[[nodiscard]] std::vector<StepAxis> step_axes(const CsvTable& table,
                                              const std::vector<StepRow>& rows);

}  // namespace sim::cli

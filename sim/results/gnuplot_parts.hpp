#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"

namespace sim::results
{

/// gnuplot reads "_" and "^" as subscripts and superscripts.
[[nodiscard]] std::string gnuplot_text(std::string words);
/// A number of a data block; NaN leaves a gap.
[[nodiscard]] std::string gnuplot_cell(double value);
/// The line that chooses "svg", "png" or "pdf".
[[nodiscard]] std::string gnuplot_terminal(const std::string& format);

/// Throws Error when the file lacks what the picture called `kind` is drawn of.
[[nodiscard]] const Variable& needed(const Document& document, const std::string& group,
                                     const std::string& variable, const std::string& kind);
/// Throw Error when the variable is of another type.
[[nodiscard]] const std::vector<std::string>& words_of(const Variable& variable);
[[nodiscard]] std::vector<double> numbers_of(const Variable& variable);

}  // namespace sim::results

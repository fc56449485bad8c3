#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"

namespace sim::results
{

[[nodiscard]] const std::vector<std::string>& plot_kinds();

/// What gnuplot draws a picture of that kind from; `format` is svg, png or pdf. Bars differ by
/// pattern too, lines by dashes. Throws Error when the file has nothing of that kind.
[[nodiscard]] std::string gnuplot_script(const Document& document, const std::string& kind,
                                         const std::string& format);

}  // namespace sim::results

#pragma once

#include <string>

#include "results/document.hpp"

namespace sim::results
{

/// A page that holds all it needs: the file's groups, the charts' library and a script that draws
/// them. Throws Error when the library was not there when weftsim was built, or when the file is of
/// another kind than a run or a sweep.
[[nodiscard]] std::string report_page(const Document& document);

}  // namespace sim::results

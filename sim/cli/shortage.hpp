#pragma once

#include <string>

#include "spec/experiment.hpp"

namespace sim::cli
{

/// Why the experiment does not fit in memory and what would make it fit, as lines for stderr.
[[nodiscard]] std::string explain_shortage(const std::string& file,
                                           const spec::ExperimentSpec& experiment);

}  // namespace sim::cli

#pragma once

#include <string>

#include "results/document.hpp"

namespace sim::results
{

/// Memory over the step of the stage whose GPUs are fullest: a panel a tier, its contents stacked.
[[nodiscard]] std::string memory_over_time_script(const Document& document,
                                                  const std::string& format);

}  // namespace sim::results

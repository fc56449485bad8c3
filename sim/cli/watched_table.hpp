#pragma once

#include <string>

#include "replay/run.hpp"

namespace sim::cli
{

/// What decides the step, what activities lost to each class of resources (mean over ranks), and
/// who was waited for longest. Empty when the run was not watched.
[[nodiscard]] std::string watched_table(const replay::Result& result);

}  // namespace sim::cli

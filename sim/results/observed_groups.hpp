#pragma once

#include "replay/run.hpp"
#include "results/document.hpp"

namespace sim::results
{

/// What watching a run adds to its file: losses, waits, critical path, utilisation over time, the
/// busiest links, traffic. Nothing when it was not watched.
void append_observed(const replay::Result& result, Document& document);

}  // namespace sim::results

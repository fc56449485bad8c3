#pragma once

#include "spec/checker.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

/// Complains of what a step that generates tokens cannot have, and of what only such a step has.
void check_generation(Checker& check, const WorkloadSpec& workload);

}  // namespace sim::spec

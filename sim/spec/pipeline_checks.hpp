#pragma once

#include "spec/checker.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

/// How the layers are cut into stages, and those into chunks.
void check_pipeline(Checker& check, const PlanSpec& plan, int layers);
void check_chunks(Checker& check, const WorkloadSpec& workload);

}  // namespace sim::spec

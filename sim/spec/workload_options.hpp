#pragma once

#include "spec/checker.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

/// What may be switched on beside the degrees of a plan: each number by itself, then, where those
/// and the degrees are right, what they need of each other.
void check_option_numbers(Checker& check, const WorkloadSpec& workload);
void check_options(Checker& check, const WorkloadSpec& workload);

}  // namespace sim::spec

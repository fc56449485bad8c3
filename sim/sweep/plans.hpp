#pragma once

#include "config/load.hpp"

namespace sim::sweep
{

/// Adds the axis "plan" of a sweep that asks for plans: every combination of its degrees that
/// divides the machine, the model and the batch of the first base. What does not fit in memory
/// is found when its turn comes, before it is simulated. Throws InputError when none is left.
void add_plans(config::LoadedSweep& sweep);

}  // namespace sim::sweep

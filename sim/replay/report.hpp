#pragma once

#include "replay/executor.hpp"
#include "replay/instances.hpp"
#include "replay/run.hpp"
#include "replay/simulate.hpp"

namespace sim::replay
{

/// What a finished executor measured, as a Result: rates, rank classes, utilisation, what binds.
/// A ledger that does not sum to the step, or a resource above its capacity, is a contract
/// violation.
[[nodiscard]] Result report(const Job& job, const Instances& instances, Executor& executor);

}  // namespace sim::replay

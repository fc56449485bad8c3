#pragma once

#include <array>
#include <string>
#include <vector>

#include "replay/instances.hpp"
#include "replay/ledger.hpp"
#include "replay/run.hpp"
#include "replay/traffic.hpp"

namespace sim::replay
{

/// The name of the class with the largest total; empty when all are zero.
[[nodiscard]] std::string largest(const std::array<Time, kResourceKinds>& totals);

/// Ranks of one program whose ledgers, communication times and traffic agree to 1e-9 of the step,
/// in the order of their first members. What differs by more is not averaged away.
[[nodiscard]] std::vector<RankClass> rank_classes(const Instances& instances, const Ledger& ledger,
                                                  const std::vector<StepTraffic>& traffic);

}  // namespace sim::replay

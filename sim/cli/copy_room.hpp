#pragma once

#include <vector>

#include "core/id.hpp"
#include "memory/tier_ledger.hpp"
#include "spec/cluster.hpp"
#include "workload/task_graph.hpp"

namespace sim::cli
{

/// Tiers of the fullest node that do not hold what these ranks copy, each copy at both its ends.
[[nodiscard]] std::vector<memory::Shortage> copy_shortages(
    const spec::ClusterSpec& cluster, const std::vector<RankId>& ranks,
    const std::vector<workload::Copy>& copies);

}  // namespace sim::cli

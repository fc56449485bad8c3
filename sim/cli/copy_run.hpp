#pragma once

#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "spec/cluster.hpp"
#include "workload/task_graph.hpp"

namespace sim::cli
{

/// Ranks whose copy took equally long and met the same limit.
struct CopyRow {
    workload::Copy copy;
    std::vector<RankId> ranks;
    Time time{};
    Bandwidth each{};
    Bandwidth all{};
    std::string bound;  ///< class of the busiest of what it crossed, by what was served until then
    std::string busiest;  ///< that resource
    double busy = 0;      ///< its share of the time, in [0, 1]
};

/// Every copy of every rank starts at once on the machine, and runs alone with the others.
[[nodiscard]] std::vector<CopyRow> run_copies(const spec::ClusterSpec& cluster,
                                              const std::vector<RankId>& ranks,
                                              const std::vector<workload::Copy>& copies);

}  // namespace sim::cli

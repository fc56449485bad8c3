#pragma once

#include <memory>

#include "replay/fold_partition.hpp"
#include "replay/fold_structure.hpp"
#include "replay/instances.hpp"
#include "replay/lowering.hpp"
#include "replay/machine.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// A job in which one instance runs for each class of ranks, with its own task graph and plans.
///
/// Where n flows of a class together consume c on the |R| members of a class of resources, its one
/// flow consumes c / |R| of the one resource: what a single member sees. sim/replay/folding.md.
class Folded
{
public:
    /// The partition has fewer classes of ranks than the job has ranks.
    Folded(const Machine& machine, const FoldStructure& structure, const Partition& partition);

    Folded(const Folded&) = delete;
    Folded& operator=(const Folded&) = delete;

    [[nodiscard]] const Instances& instances() const { return instances_; }
    [[nodiscard]] Lowering& lowering() { return lowering_; }

private:
    workload::TaskGraph graph_;
    Instances instances_;
    Lowering lowering_;
};

/// Null when no two ranks are alike. Plans every collective of the job in `lowering`.
[[nodiscard]] std::unique_ptr<Folded> fold(const Machine& machine, const workload::TaskGraph& job,
                                           Lowering& lowering);

}  // namespace sim::replay

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/id.hpp"
#include "replay/lowering.hpp"
#include "replay/rendezvous.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// A kind and size that a communicator's members ask it for, and how it is done.
struct FoldPlan {
    const workload::Collective* asked = nullptr;
    const LoweredCollective* lowered = nullptr;
    std::uint32_t first_flow = 0;  ///< in FoldStructure::flows, in the order they are in the plan
};

/// One flow of one plan of a communicator.
struct FoldFlow {
    CommunicatorId communicator;
    std::uint64_t look = 0;  ///< hash of all but its uses: plan, phase, amount, latency, share
    std::span<const engine::Use> uses{};
};

/// A copy of a rank's program, on that rank.
struct FoldCopy {
    std::uint32_t payload = 0;
    const LoweredCopy* lowered = nullptr;
};

/// All that can tell two ranks of a job apart, each thing once and none of it task by task: who is
/// in which communicator, what is asked of it, and the use every flow and every copy makes of every
/// resource.
class FoldStructure
{
public:
    /// Plans every collective of the job; the plans stay in `lowering`, which must outlive this.
    FoldStructure(const workload::TaskGraph& job, Lowering& lowering);

    [[nodiscard]] const workload::TaskGraph& job() const { return job_; }
    [[nodiscard]] std::span<const Port> members(std::size_t communicator) const
    {
        return rendezvous_.ports(CommunicatorId{communicator});
    }
    [[nodiscard]] std::span<const FoldPlan> plans(std::size_t communicator) const
    {
        return {plans_.data() + first_plan_[communicator],
                plans_.data() + first_plan_[communicator + 1]};
    }
    [[nodiscard]] const std::vector<FoldFlow>& flows() const { return flows_; }
    /// In the order of the payloads.
    [[nodiscard]] std::span<const FoldCopy> copies(std::size_t rank) const
    {
        return {copies_.data() + first_copy_[rank], copies_.data() + first_copy_[rank + 1]};
    }

private:
    void add_plans(std::size_t communicator, Lowering& lowering);
    void add_flows(std::size_t communicator, const LoweredCollective& lowered);

    const workload::TaskGraph& job_;
    Rendezvous rendezvous_;
    std::vector<FoldPlan> plans_;
    std::vector<std::uint32_t> first_plan_;  ///< by communicator, and one more
    std::vector<FoldFlow> flows_;
    std::vector<FoldCopy> copies_;
    std::vector<std::uint32_t> first_copy_;  ///< by rank, and one more
};

}  // namespace sim::replay

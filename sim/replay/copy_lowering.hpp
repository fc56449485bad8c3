#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "replay/machine.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// A copy of a rank, ready to start: one activity over all it crosses.
struct LoweredCopy {
    double amount = 0;
    Time latency{};
    std::vector<engine::Use> uses;
    double rate_cap = engine::kUnlimited;      ///< bytes/s
    ResourceKind binding = ResourceKind::hbm;  ///< class of what it takes the most of
    Time alone{};                              ///< latency included: it cannot take less
    workload::Purpose purpose = workload::Purpose::dram;
};

/// How a GPU's data moves between the tiers it reaches; sim/replay/copies.md has the rules. A tier
/// that the cluster does not describe, or that no way leads to, is an InputError.
class CopyLowering
{
public:
    explicit CopyLowering(const Machine& machine);

    [[nodiscard]] LoweredCopy lower(GpuId gpu, const workload::Copy& copy) const;

private:
    const Machine& machine_;
    double hbm_share_ = 1;  ///< peak over achieved of a stream
};

}  // namespace sim::replay

#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "replay/run.hpp"
#include "spec/cluster.hpp"
#include "spec/fidelity.hpp"
#include "spec/precision.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// A task graph on a machine, however the graph was made.
struct Job {
    const spec::ClusterSpec& cluster;
    const workload::TaskGraph& graph;
    spec::Precision precision = spec::Precision::bf16;  ///< whose peak MFU is measured against
    std::uint64_t seed = 0;
    int steps = 2;
    spec::FidelitySpec fidelity{};
    bool audit = true;
    bool timeline = false;
    bool watch = false;
    Scaling scaling{};             ///< of its links; the rest of the machine is scaled before
    Prepared* prepared = nullptr;  ///< where machines are that were built before; or none
};

/// On a new engine, in this process. Throws as run() does.
[[nodiscard]] Result simulate(const Job& job, engine::Engine& engine, Fold fold = Fold::automatic);

/// The same on the engine the options name, in a child process where it needs one.
[[nodiscard]] Result run(const Job& job, const Options& options);

}  // namespace sim::replay

#pragma once

#include <string>

#include "replay/instances.hpp"
#include "replay/ledger.hpp"
#include "replay/progress.hpp"
#include "replay/rendezvous.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// Everything that says where a job stands at an instant.
struct Standing {
    const workload::TaskGraph& graph;
    const Progress& progress;
    const Rendezvous& rendezvous;
};

/// What the head of a stream stands at, after following its dependences: the stream that decides.
struct Blocker {
    std::uint32_t stream = 0;
    bool nothing = false;  ///< the chain ends at a stream that has run all its steps
};

/// Follows the first unmet dependence of the head, stream by stream, to a head that runs or waits
/// for other ranks.
[[nodiscard]] Blocker follow(const Standing& standing, RankId rank, std::uint32_t stream);

/// Names up to a handful of the tasks that run, each on a line of its own.
[[nodiscard]] std::string describe_running(const Standing& standing);

/// Names up to a handful of the tasks that wait, and what each waits for: of ranks, also when the
/// job that stands still is a folded one.
[[nodiscard]] std::string describe_deadlock(const Instances& instances, const Progress& progress,
                                            const Rendezvous& rendezvous);

}  // namespace sim::replay

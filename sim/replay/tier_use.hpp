#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/tier_ledger.hpp"
#include "replay/run.hpp"
#include "spec/experiment.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// Something that GPUs of a stage keep in a tier of theirs, all that share it together.
struct HeldTogether {
    spec::DataTier tier = spec::DataTier::dram;
    std::string name;  ///< of the tier
    Bytes capacity{};
    std::string what;
    Bytes bytes{};
    std::int64_t gpus = 1;  ///< that share the tier
};
[[nodiscard]] std::vector<HeldTogether> held_together(const spec::ExperimentSpec& experiment,
                                                      std::size_t stage);

/// What the GPUs of a node that runs this stage keep outside their memory, and where. A node whose
/// GPUs are of several stages is taken to be of the stage that needs most. Host memory is that of
/// the fullest socket, unless its pages are interleaved.
[[nodiscard]] memory::TierLedger node_tiers(const spec::ExperimentSpec& experiment,
                                            std::size_t stage);

/// Tiers that a stage asks for more than they have, each once.
[[nodiscard]] std::vector<memory::Shortage> tier_shortages(const spec::ExperimentSpec& experiment);

/// Of every tier besides the GPUs' memory that a step reads, writes or fills: what lies there, what
/// a step of this length moves, and when drives are worn out by it.
[[nodiscard]] std::vector<TierUse> tier_use(const spec::ExperimentSpec& experiment,
                                            const workload::TaskGraph& graph, Time step);

}  // namespace sim::replay

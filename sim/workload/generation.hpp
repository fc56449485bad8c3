#pragma once

#include <string>
#include <vector>

#include "spec/workload.hpp"
#include "workload/footprint.hpp"
#include "workload/shard.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// One step of a rank that generates: the prompts' pass, then one pass for each further token, with
/// the weights and the cache of keys and values where the policy keeps them.
/// sim/workload/generation.md
[[nodiscard]] Program generation_program(const spec::WorkloadSpec& workload, const Stage& stage,
                                         std::vector<std::string>& labels);

/// Keys and values of `tokens` tokens of a micro-batch in a layer; nothing where it keeps a state
/// of fixed size.
[[nodiscard]] Bytes layer_cache(const spec::WorkloadSpec& workload, spec::LayerKind kind,
                                std::int64_t tokens);
/// Of all layers when the last token is generated.
[[nodiscard]] Bytes whole_cache(const spec::WorkloadSpec& workload, const Stage& stage);

/// MFU's numerator of such a step: a third of what a training step counts of a token, the words'
/// scores for generated tokens alone, and nothing of the last token, which no pass takes.
[[nodiscard]] Flops generation_flops(const spec::WorkloadSpec& workload);

/// What a rank that generates holds, everything in HBM.
[[nodiscard]] Footprint generation_footprint(const spec::WorkloadSpec& workload,
                                             const Stage& stage);

}  // namespace sim::workload

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "spec/model.hpp"

namespace sim::workload
{

/// What DeepSpeed's own estimator says a plan needs, with Adam in mixed precision and without
/// activations: deepspeed/runtime/zero/stage_1_and_2.py and stage3.py. sim/workload/footprint.md
struct ZeroEstimate {
    int stage = 2;
    bool offloads_optimizer = false;
    bool offloads_parameters = false;
    bool builds_sharded = false;  ///< stage 3 under zero.Init: no rank ever holds the whole model
    Bytes gpu{};
    Bytes host{};  ///< of a node
};

struct ZeroSetting {
    std::int64_t parameters = 0;
    std::int64_t largest_layer = 0;  ///< parameters that one module has itself
    std::int64_t gpus_per_node = 0;
    std::int64_t nodes = 0;
};

/// Every combination that the estimator prints: stage 2 with and without the optimiser on the host,
/// stage 3 with nothing, the optimiser or all of it there, built sharded or whole.
[[nodiscard]] std::vector<ZeroEstimate> zero_estimates(const ZeroSetting& setting);

/// The largest matrix: the embedding, or one of a layer's.
[[nodiscard]] std::int64_t largest_module(const spec::ModelSpec& model);

}  // namespace sim::workload

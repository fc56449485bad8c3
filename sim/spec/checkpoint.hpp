#pragma once

#include "core/diagnostics.hpp"
#include "spec/tiers.hpp"

namespace sim::spec
{

/// Weights and optimiser state that are saved in every simulated step. sim/workload/checkpoint.md
struct CheckpointSpec {
    DataTier to = DataTier::storage;
    bool asynchronous = false;  ///< the step goes on when host memory has it
    bool sharded = true;       ///< every rank saves its own; else one of each replica set saves all
    bool through_dram = true;  ///< a synchronous one: drives are written from host memory
    int every = 1;             ///< steps; for the mean step time
    friend bool operator==(const CheckpointSpec&, const CheckpointSpec&) = default;
};

[[nodiscard]] Diagnostics validate(const CheckpointSpec& checkpoint, const std::string& key);

}  // namespace sim::spec

#pragma once

#include <string>
#include <vector>

#include "memory/tier_ledger.hpp"
#include "spec/experiment.hpp"
#include "workload/footprint.hpp"

namespace sim::sweep
{

/// What a job needs of its GPUs' memory, and what they have.
struct Fit {
    std::vector<workload::Footprint> stages;  ///< one a pipeline stage
    Bytes gpu_memory{};
    std::vector<memory::Shortage>
        tiers{};  ///< that are too small for what is kept outside the GPUs

    [[nodiscard]] bool gpus_suffice() const;

    [[nodiscard]] bool fits() const;
};

[[nodiscard]] Fit fit(const spec::ExperimentSpec& experiment);

/// By how much the fullest stage is too large and what it holds, in one sentence.
[[nodiscard]] std::string shortage(const Fit& fit);

/// A change after which the job fits.
struct Remedy {
    std::string keys;  ///< what to write: "workload.recompute: full"
    Bytes needed{};    ///< of a GPU's memory, in the fullest stage
    spec::ExperimentSpec experiment{};
};

/// Changes of one key each; when no single one is enough, several together.
[[nodiscard]] std::vector<Remedy> remedies_of(const spec::ExperimentSpec& experiment);

/// Changes of one key (or, when no single one is enough, of several) after which the job fits, each
/// with the memory it then needs: "workload.recompute: full (61.2 GiB)".
[[nodiscard]] std::vector<std::string> remedies(const spec::ExperimentSpec& experiment);

}  // namespace sim::sweep

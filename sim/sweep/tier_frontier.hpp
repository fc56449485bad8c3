#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "replay/run.hpp"
#include "spec/costs.hpp"
#include "spec/experiment.hpp"

namespace sim::sweep
{

/// A way to run a job: so many GPUs, and a policy of what lives outside them.
struct TierChoice {
    int gpus = 0;
    std::string policy;  ///< of the offload, or "none"
    bool fits = false;
    Time step{};
    Time job{};
    Power peak{};
    double energy = 0;  ///< joules of the job
    Money capital{};
    Money hourly{};    ///< what is bought over its years, and electricity
    Money whole{};     ///< of the job
    double years = 0;  ///< until drives are worn out; 0: never, or not known
};

struct Frontier {
    std::vector<TierChoice> choices;  ///< most GPUs first
};

using SimulateOne = std::function<replay::Result(const spec::ExperimentSpec&)>;

/// The job on all its GPUs, on half, a quarter, ... of them down to one group of tensor and
/// pipeline ranks, each without offload and under every policy. `tokens` are what is trained on.
[[nodiscard]] Frontier tier_frontier(const spec::ExperimentSpec& experiment,
                                     const std::vector<spec::OffloadSpec>& policies,
                                     const spec::CostSpec& costs, double tokens,
                                     const SimulateOne& simulate);

/// Whether more GPUs or other tiers are the better choice, by the job's cost and its time.
[[nodiscard]] std::string verdict(const Frontier& frontier);

}  // namespace sim::sweep

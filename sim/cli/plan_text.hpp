#pragma once

#include <string>

#include "spec/experiment.hpp"

namespace sim::cli
{

/// How the ranks are divided, and which layers each stage holds.
[[nodiscard]] std::string plan_text(const spec::WorkloadSpec& workload);

/// What DeepSpeed's estimator says of this model on this cluster, stage by stage.
[[nodiscard]] std::string zero_table(const spec::ExperimentSpec& experiment);

}  // namespace sim::cli

#pragma once

#include <map>
#include <string>

#include "cli/step_cells.hpp"
#include "cli/step_model.hpp"
#include "spec/experiment.hpp"

namespace sim::cli
{

/// The experiment that a row describes, or the reason why there is none.
struct StepCase {
    spec::ExperimentSpec experiment{};
    std::string reason{};
};

/// Builds experiments and keeps the files they share.
class StepCases
{
public:
    [[nodiscard]] StepCase build(const StepCells& cells);

private:
    [[nodiscard]] std::string add_machine(const StepCells& cells, spec::ExperimentSpec& experiment);
    [[nodiscard]] std::string add_framework(const StepCells& cells, spec::WorkloadSpec& workload);

    StepModels models_;
    std::map<std::string, spec::ClusterSpec> clusters_;
    std::map<std::string, spec::FrameworkSpec> frameworks_;
};

}  // namespace sim::cli

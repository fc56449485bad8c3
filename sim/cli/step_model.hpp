#pragma once

#include <map>
#include <string>

#include "cli/step_cells.hpp"
#include "spec/model.hpp"

namespace sim::cli
{

/// The models of measured steps: read from the file that a rule names, else as the cells say.
class StepModels
{
public:
    [[nodiscard]] spec::ModelSpec build(const StepCells& cells);

private:
    std::map<std::string, spec::ModelSpec> files_;
};

/// Whether a rule names a file for the row's model, so that its cells may be empty.
[[nodiscard]] bool has_model_file(const StepCells& cells);

}  // namespace sim::cli

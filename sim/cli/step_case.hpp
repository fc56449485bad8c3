#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/csv_reader.hpp"
#include "config/measured_steps.hpp"
#include "spec/experiment.hpp"

namespace sim::cli
{

/// The cells of a measured step with what the rules add to them.
class StepCells
{
public:
    StepCells(const CsvTable& table, std::size_t row, const std::vector<config::StepRule>& rules);

    /// Empty when neither the table nor a rule says it.
    [[nodiscard]] const std::string& text(const std::string& column) const;
    /// The number of the cell; `otherwise` when it is empty. Throws InputError when it is none.
    [[nodiscard]] std::int64_t count(const std::string& column, std::int64_t otherwise) const;

    [[nodiscard]] const std::vector<const config::StepRule*>& rules() const { return rules_; }
    /// "vp=5; recompute=none": what the rules added.
    [[nodiscard]] const std::string& assumed() const { return assumed_; }

private:
    [[nodiscard]] bool fits(const config::StepRule& rule) const;
    void assume(const std::string& column, const std::string& text);

    const CsvTable& table_;
    std::size_t row_;
    std::map<std::string, std::string> added_;
    std::vector<const config::StepRule*> rules_;
    std::string assumed_;
};

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

    std::map<std::string, spec::ClusterSpec> clusters_;
    std::map<std::string, spec::FrameworkSpec> frameworks_;
};

}  // namespace sim::cli

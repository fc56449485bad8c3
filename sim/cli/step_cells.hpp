#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/csv_reader.hpp"
#include "config/measured_steps.hpp"

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
    /// "vp=5; recompute=none": what the rules added, of the cells that were asked for so far.
    [[nodiscard]] std::string assumed() const;

private:
    [[nodiscard]] bool fits(const config::StepRule& rule) const;
    [[nodiscard]] const std::string& cell(const std::string& column) const;
    void assume(const std::string& column, const std::string& text);

    const CsvTable& table_;
    std::size_t row_;
    std::map<std::string, std::string> added_;
    std::vector<const config::StepRule*> rules_;
    std::vector<std::string> order_;       ///< of what was added
    mutable std::set<std::string> asked_;  ///< for
};

}  // namespace sim::cli

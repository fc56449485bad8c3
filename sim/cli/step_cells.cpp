#include "cli/step_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/validate_rows.hpp"
#include "core/diagnostics.hpp"

namespace sim::cli
{

StepCells::StepCells(const CsvTable& table, std::size_t row,
                     const std::vector<config::StepRule>& rules)
    : table_{table}, row_{row}
{
    for (const auto& rule : rules) {
        if (!fits(rule)) {
            continue;
        }
        rules_.push_back(&rule);
        for (const auto& [column, text] : rule.correct) {
            if (added_.find(column) == added_.end()) {
                assume(column, text);
            }
        }
        for (const auto& [column, text] : rule.fill) {
            if (cell(column).empty()) {
                assume(column, text);
            }
        }
    }
}

bool StepCells::fits(const config::StepRule& rule) const
{
    return std::all_of(rule.where.begin(), rule.where.end(), [this](const config::Cell& cell) {
        return matches(cell.second, this->cell(cell.first));
    });
}

void StepCells::assume(const std::string& column, const std::string& text)
{
    added_[column] = text;
    order_.push_back(column);
}

std::string StepCells::assumed() const
{
    std::string text;
    for (const auto& column : order_) {
        if (asked_.count(column) > 0) {
            text += fmt::format("{}{}={}", text.empty() ? "" : "; ", column, added_.at(column));
        }
    }
    return text;
}

const std::string& StepCells::text(const std::string& column) const
{
    asked_.insert(column);
    return cell(column);
}

const std::string& StepCells::cell(const std::string& column) const
{
    const auto found = added_.find(column);
    return found == added_.end() ? table_.at(row_, column) : found->second;
}

std::int64_t StepCells::count(const std::string& column, std::int64_t otherwise) const
{
    const auto& cell = text(column);
    if (cell.empty()) {
        return otherwise;
    }
    std::int64_t number = 0;
    const auto [end, wrong] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (wrong != std::errc{} || end != cell.data() + cell.size()) {
        sim::refuse(column, fmt::format("\"{}\" is not a whole number", cell), "");
    }
    return number;
}

}  // namespace sim::cli

#pragma once

#include <string>
#include <vector>

namespace sim::cli
{

/// A table of text: quotes around cells with commas, doubled quotes inside them.
class CsvTable
{
public:
    /// Throws Error when the file cannot be read, InputError when a line has too many cells.
    explicit CsvTable(const std::string& path);

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] bool has(const std::string& column) const;
    /// Empty when there is no such column.
    [[nodiscard]] const std::string& at(std::size_t row, const std::string& column) const;

private:
    [[nodiscard]] std::size_t index(const std::string& column) const;

    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// The cell as it has to be written.
[[nodiscard]] std::string csv_cell(const std::string& text);

}  // namespace sim::cli

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sim::cli
{

/// A line of a table, cells by the name of their column.
class CsvRow
{
public:
    CsvRow(std::string file, int line, std::shared_ptr<const std::vector<std::string>> columns,
           std::vector<std::string> cells)
        : file_{std::move(file)},
          line_{line},
          columns_{std::move(columns)},
          cells_{std::move(cells)}
    {
    }

    /// Throws InputError when there is no such column.
    [[nodiscard]] const std::string& text(const std::string& column) const;
    /// Throws InputError when the cell is no number; an empty cell is `otherwise`.
    [[nodiscard]] double number(const std::string& column, double otherwise = 0) const;
    [[nodiscard]] int count(const std::string& column, int otherwise = 0) const;
    /// Empty when there is no such column.
    [[nodiscard]] const std::string& text_if_any(const std::string& column) const;

private:
    [[nodiscard]] std::size_t index(const std::string& column) const;
    [[noreturn]] void refuse(const std::string& column, const std::string& what) const;

    std::string file_;
    int line_;
    std::shared_ptr<const std::vector<std::string>> columns_;
    std::vector<std::string> cells_;
};

/// A table of text: quotes around cells with commas, doubled quotes inside them; lines that start
/// with # say where the others come from.
class CsvTable
{
public:
    /// Throws Error when the file cannot be read, InputError when a line has not one cell a column.
    explicit CsvTable(const std::string& path);

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] const std::vector<CsvRow>& rows() const { return rows_; }
    [[nodiscard]] bool has(const std::string& column) const;
    /// Empty when there is no such column.
    [[nodiscard]] const std::string& at(std::size_t row, const std::string& column) const
    {
        return rows_[row].text_if_any(column);
    }

private:
    std::shared_ptr<const std::vector<std::string>> columns_;
    std::vector<CsvRow> rows_;
};

/// The cell as it has to be written.
[[nodiscard]] std::string csv_cell(const std::string& text);

/// The finite number that all of the text is, or nothing.
[[nodiscard]] std::optional<double> parse_number(const std::string& text);

}  // namespace sim::cli

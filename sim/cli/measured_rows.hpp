#pragma once

#include <string>
#include <vector>

namespace sim::cli
{

/// A row of a table of measurements, cells by the name of their column.
class MeasuredRow
{
public:
    MeasuredRow(std::string place, const std::vector<std::string>* columns,
                std::vector<std::string> cells)
        : place_{std::move(place)}, columns_{columns}, cells_{std::move(cells)}
    {
    }

    /// Throws InputError when there is no such column.
    [[nodiscard]] const std::string& text(const std::string& column) const;
    /// Throws InputError when the cell is no number; an empty cell is `otherwise`.
    [[nodiscard]] double number(const std::string& column, double otherwise = 0) const;
    [[nodiscard]] int count(const std::string& column, int otherwise = 0) const;

private:
    [[noreturn]] void refuse(const std::string& column, const std::string& what) const;

    std::string place_;  ///< file:line
    const std::vector<std::string>* columns_;
    std::vector<std::string> cells_;
};

/// Comma-separated values without quotes; lines that start with # say where they come from.
class MeasuredTable
{
public:
    /// Throws Error when the file cannot be read, InputError when a row has not one cell a column.
    explicit MeasuredTable(const std::string& path);
    MeasuredTable(const MeasuredTable&) = delete;
    MeasuredTable& operator=(const MeasuredTable&) = delete;

    [[nodiscard]] const std::vector<MeasuredRow>& rows() const { return rows_; }

private:
    std::vector<std::string> columns_;
    std::vector<MeasuredRow> rows_;
};

}  // namespace sim::cli

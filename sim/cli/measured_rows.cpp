#include "cli/measured_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "core/diagnostics.hpp"
#include "core/error.hpp"

namespace sim::cli
{
namespace
{

std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells;
    std::size_t from = 0;
    for (;;) {
        const auto comma = line.find(',', from);
        cells.push_back(line.substr(from, comma - from));
        if (comma == std::string::npos) {
            return cells;
        }
        from = comma + 1;
    }
}

}  // namespace

void MeasuredRow::refuse(const std::string& column, const std::string& what) const
{
    Diagnostic diagnostic;
    diagnostic.key = place_ + ": " + column;
    diagnostic.message = what;
    throw InputError{{diagnostic}};
}

const std::string& MeasuredRow::text(const std::string& column) const
{
    const auto found = std::find(columns_->begin(), columns_->end(), column);
    if (found == columns_->end()) {
        refuse(column, "the table has no such column");
    }
    return cells_[static_cast<std::size_t>(found - columns_->begin())];
}

double MeasuredRow::number(const std::string& column, double otherwise) const
{
    const auto& cell = text(column);
    if (cell.empty()) {
        return otherwise;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
        refuse(column, fmt::format("\"{}\" is no number", cell));
    }
    return value;
}

int MeasuredRow::count(const std::string& column, int otherwise) const
{
    const auto value = number(column, otherwise);
    if (value != std::floor(value) || std::abs(value) > 1e9) {
        refuse(column, fmt::format("{} is no whole number", value));
    }
    return static_cast<int>(value);
}

MeasuredTable::MeasuredTable(const std::string& path)
{
    std::ifstream file{path};
    if (!file) {
        throw Error{fmt::format("cannot read {}", path)};
    }
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.empty() || line.front() == '#') {
            continue;
        }
        auto cells = cells_of(line);
        if (columns_.empty()) {
            columns_ = std::move(cells);
        } else if (cells.size() == columns_.size()) {
            rows_.emplace_back(fmt::format("{}:{}", path, number), &columns_, std::move(cells));
        } else {
            Diagnostic diagnostic;
            diagnostic.file = path;
            diagnostic.line = number;
            diagnostic.column = 1;
            diagnostic.source_line = line;
            diagnostic.message =
                fmt::format("{} cells where {} columns are", cells.size(), columns_.size());
            throw InputError{{diagnostic}};
        }
    }
}

}  // namespace sim::cli

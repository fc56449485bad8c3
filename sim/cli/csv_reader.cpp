#include "cli/csv_reader.hpp"

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

std::vector<std::string> cells(const std::string& line)
{
    std::vector<std::string> found(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            found.back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            found.emplace_back();
        } else if (c != '\r') {
            found.back() += c;
        }
    }
    return found;
}

}  // namespace

void CsvRow::refuse(const std::string& column, const std::string& what) const
{
    Diagnostic diagnostic;
    diagnostic.file = file_;
    diagnostic.line = line_;
    diagnostic.column = 1;
    diagnostic.key = column;
    diagnostic.message = what;
    throw InputError{{diagnostic}};
}

std::size_t CsvRow::index(const std::string& column) const
{
    return static_cast<std::size_t>(std::find(columns_->begin(), columns_->end(), column) -
                                    columns_->begin());
}

const std::string& CsvRow::text(const std::string& column) const
{
    const auto i = index(column);
    if (i == columns_->size()) {
        refuse(column, "the table has no such column");
    }
    return cells_[i];
}

const std::string& CsvRow::text_if_any(const std::string& column) const
{
    static const std::string nothing;
    const auto i = index(column);
    return i < columns_->size() ? cells_[i] : nothing;
}

double CsvRow::number(const std::string& column, double otherwise) const
{
    const auto& cell = text(column);
    if (cell.empty()) {
        return otherwise;
    }
    const auto value = parse_number(cell);
    if (!value) {
        refuse(column, fmt::format("\"{}\" is no number", cell));
    }
    return *value;
}

int CsvRow::count(const std::string& column, int otherwise) const
{
    const auto value = number(column, otherwise);
    if (value != std::floor(value) || std::abs(value) > 1e9) {
        refuse(column, fmt::format("{} is no whole number", value));
    }
    return static_cast<int>(value);
}

CsvTable::CsvTable(const std::string& path)
{
    std::ifstream file{path};
    if (!file) {
        throw Error{fmt::format("cannot read {}", path)};
    }
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line == "\r" || line.front() == '#') {
            continue;
        }
        auto row = cells(line);
        if (columns_ == nullptr) {
            columns_ = std::make_shared<const std::vector<std::string>>(std::move(row));
            continue;
        }
        if (row.size() != columns_->size()) {
            Diagnostic diagnostic;
            diagnostic.file = path;
            diagnostic.line = number;
            diagnostic.column = 1;
            diagnostic.source_line = line;
            diagnostic.message =
                fmt::format("{} cells under {} columns", row.size(), columns_->size());
            diagnostic.hint = "give every column a cell; one that has a comma needs quotes";
            throw InputError{{diagnostic}};
        }
        rows_.emplace_back(path, number, columns_, std::move(row));
    }
}

bool CsvTable::has(const std::string& column) const
{
    return columns_ != nullptr &&
           std::find(columns_->begin(), columns_->end(), column) != columns_->end();
}

std::string csv_cell(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += '"';
        }
    }
    return quoted + "\"";
}

std::optional<double> parse_number(const std::string& text)
{
    double value = 0;
    const auto* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    const bool whole = error == std::errc{} && stopped == end && std::isfinite(value);
    return whole ? std::optional{value} : std::nullopt;
}

}  // namespace sim::cli

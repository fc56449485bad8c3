#include "cli/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
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

CsvTable::CsvTable(const std::string& path)
{
    std::ifstream file{path};
    if (!file) {
        throw Error{fmt::format("cannot read {}", path)};
    }
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line == "\r" || (columns_.empty() && line.front() == '#')) {
            continue;
        }
        auto row = cells(line);
        if (columns_.empty()) {
            columns_ = std::move(row);
            continue;
        }
        if (row.size() > columns_.size()) {
            Diagnostic diagnostic;
            diagnostic.key = fmt::format("{}:{}", path, number);
            diagnostic.message =
                fmt::format("{} cells under {} columns", row.size(), columns_.size());
            diagnostic.hint = "put a cell that has a comma in quotes";
            throw InputError{{diagnostic}};
        }
        row.resize(columns_.size());
        rows_.push_back(std::move(row));
    }
}

std::size_t CsvTable::index(const std::string& column) const
{
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) -
                                    columns_.begin());
}

bool CsvTable::has(const std::string& column) const { return index(column) < columns_.size(); }

const std::string& CsvTable::at(std::size_t row, const std::string& column) const
{
    static const std::string nothing;
    const auto i = index(column);
    return i < columns_.size() ? rows_[row][i] : nothing;
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

}  // namespace sim::cli

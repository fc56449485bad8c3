#pragma once

#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "results/document.hpp"

namespace sim::cli
{

/// Rows of results/README.md for that kind, and the same of a document.
inline std::set<std::string> page_of_results(const std::string& kind)
{
    const std::regex row{
        R"(^\| `(/[^`]+)` \| ([a-z, ]+) \| (\w+) \| ([\w, ]*?) ?\| ([^|]*?) ?\| (.*) \|$)"};
    std::ifstream page{std::string{WEFTSIM_SOURCE_DIR} + "/results/README.md"};
    std::set<std::string> rows;
    for (std::string line; std::getline(page, line);) {
        std::smatch cell;
        if (std::regex_match(line, cell, row) && cell.str(2) == kind) {
            rows.insert(cell.str(1) + " " + cell.str(3) + " [" + cell.str(4) + "] " + cell.str(5) +
                        " " + cell.str(6));
        }
    }
    return rows;
}

inline std::set<std::string> datasets_of(const results::Document& document)
{
    constexpr const char* kTypes[] = {"float64", "int64", "string"};
    std::set<std::string> rows;
    for (const auto& group : document.groups) {
        for (const auto& v : group.variables) {
            std::string dimensions;
            for (const auto& dimension : v.dimensions) {
                dimensions += (dimensions.empty() ? "" : ", ") + dimension;
            }
            rows.insert("/" + group.name + "/" + v.name + " " + kTypes[v.values.index()] + " [" +
                        dimensions + "] " + v.units + " " + v.long_name);
        }
    }
    return rows;
}

}  // namespace sim::cli

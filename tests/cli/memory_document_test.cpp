#include "cli/memory_document.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "config/read_memory.hpp"
#include "config/read_storage.hpp"

namespace sim::cli
{
namespace
{

const std::string kHome = WEFTSIM_SOURCE_DIR;

/// Rows of results/README.md for that kind, and the same of a document.
std::set<std::string> documented(const std::string& kind)
{
    const std::regex row{
        R"(^\| `(/[^`]+)` \| ([a-z, ]+) \| (\w+) \| ([\w, ]*?) ?\| ([^|]*?) ?\| (.*) \|$)"};
    std::ifstream page{kHome + "/results/README.md"};
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

std::set<std::string> written(const results::Document& document)
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

TEST(MemoryDocument, ThePageListsEveryDatasetOfADramAndNoOther)
{
    MemoryQuestion question;
    question.dram = config::load_dram(kHome + "/configs/hardware/memory/hbm3.yaml", {}).spec;
    question.accesses = memory::pattern_by_name("read");
    question.in_flight = 1;
    EXPECT_EQ(documented("dram"), written(memory_document({{question, {}, 0, 0, 0}}, "")));
}

TEST(MemoryDocument, ThePageListsEveryDatasetOfADriveAndNoOther)
{
    const auto ssd =
        config::load_ssd(kHome + "/configs/hardware/ssd/micron-9550-pro-7.68tb.yaml", {}).spec;
    EXPECT_EQ(documented("drive"), written(drive_document(ssd, drive_answers(ssd, 1), "")));
}

}  // namespace
}  // namespace sim::cli

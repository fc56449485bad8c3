#include "results/schema.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>

#include "core/diagnostics.hpp"
#include "core/scratch_folder.hpp"
#include "results/file.hpp"
#include "results/hdf5_reader.hpp"
#include "results/sample.hpp"

namespace sim::results
{
namespace
{

/// A line of the page's tables: | `/summary/step_time` | run, sweep | float64 | axes | s | ... |
std::set<std::string> documented(const std::string& kind)
{
    const std::regex row{
        R"(^\| `(/[^`]+)` \| ([a-z, ]+) \| (\w+) \| ([\w, ]*?) ?\| ([^|]*?) ?\| .* \|$)"};
    std::ifstream page{std::string{WEFTSIM_SOURCE_DIR} + "/results/README.md"};
    std::set<std::string> rows;
    for (std::string line; std::getline(page, line);) {
        std::smatch cell;
        if (std::regex_match(line, cell, row) && cell.str(2).find(kind) != std::string::npos) {
            rows.insert(cell.str(1) + " " + cell.str(3) + " [" + cell.str(4) + "] " + cell.str(5));
        }
    }
    return rows;
}

/// Of a run alone, so that no axes stand before its dimensions.
bool documented_alone(const std::string& dataset)
{
    static const std::set<std::string> groups{
        "losses",     "utilisation", "waits",           "critical_path", "busiest_links",
        "crossings",  "served",      "traffic",         "elasticity",    "group_traffic",
        "load_boxes", "load_ways",   "memory_over_time"};
    return groups.count(dataset.substr(1, dataset.find('/', 1) - 1)) > 0;
}

/// The same of a file; the coordinates and dimensions of the axes are called "axes" on the page.
std::set<std::string> written(const ResultSet& set)
{
    const ScratchFolder folder;
    const auto path = folder.path("schema.h5");
    write_hdf5(describe(set), path);
    const Hdf5Reader file{path};
    std::set<std::string> rows;
    for (const auto& dataset : file.datasets()) {
        const auto name = dataset.substr(dataset.rfind('/') + 1);
        if (name == "nic" || name == "routing") {
            continue;
        }
        auto dimensions = file.dimensions(dataset);
        dimensions = std::regex_replace(dimensions, std::regex{"nic,routing"}, "axes");
        if (set.kind == Kind::run && !dataset.starts_with("/classes") &&
            !dataset.starts_with("/stages") && !documented_alone(dataset) && dimensions != name) {
            dimensions = "axes" + std::string{dimensions.empty() ? "" : ","} + dimensions;
        }
        dimensions = std::regex_replace(dimensions, std::regex{","}, ", ");
        const auto units = file.attribute(dataset, "units");
        rows.insert(dataset + " " + file.type(dataset) + " [" + dimensions + "] " +
                    (units == "(none)" ? "" : units));
        EXPECT_NE(file.attribute(dataset, "long_name"), "(none)") << dataset;
    }
    return rows;
}

TEST(ResultsPage, ListsEveryDatasetOfARunAndNoOther)
{
    EXPECT_EQ(documented("run"), written(sample::run()));
}

TEST(ResultsPage, ListsEveryDatasetOfASweepAndNoOther)
{
    EXPECT_EQ(documented("sweep"), written(sample::sweep()));
}

TEST(ResultsPage, ListsEveryDatasetOfAnExplainedRunAndNoOther)
{
    auto expected = documented("run");
    expected.merge(documented("watched"));
    expected.merge(documented("explained"));
    EXPECT_EQ(expected, written(sample::explained()));
}

TEST(ResultsPage, ListsEveryDatasetOfARunOverSeedsAndNoOther)
{
    auto expected = documented("run");
    expected.merge(documented("ensemble"));
    EXPECT_EQ(expected, written(sample::ensemble()));
}

TEST(ResultsPage, ListsEveryRootAttributeAndNoOther)
{
    const std::regex row{R"(^\| `(\w+)` \| .* \|$)"};
    std::ifstream page{std::string{WEFTSIM_SOURCE_DIR} + "/results/README.md"};
    std::vector<std::string> listed;
    for (std::string line; std::getline(page, line);) {
        std::smatch cell;
        if (std::regex_match(line, cell, row)) {
            listed.push_back(cell.str(1));
        }
    }
    const ScratchFolder folder;
    const auto path = folder.path("attributes.h5");
    write_hdf5(describe(sample::run()), path);
    EXPECT_EQ(Hdf5Reader{path}.root_attributes(), listed);
}

TEST(Schema, RefusesAnAxisThatTakesTheNameOfANumber)
{
    auto set = sample::sweep();
    set.axes[0].name = "step_time";
    try {
        (void)describe(set);
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1);
        EXPECT_EQ(error.diagnostics()[0].key, "axes.step_time");
        EXPECT_EQ(error.diagnostics()[0].message, "\"step_time\" is a name results already use");
    }
}

TEST(Schema, ASlashInAnAxisNameDoesNotMakeAGroup)
{
    auto set = sample::sweep();
    set.axes[0].name = "up/down";
    EXPECT_EQ(axis_names(set)[0], "up_down");
}

}  // namespace
}  // namespace sim::results

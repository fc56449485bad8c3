#include "results/compare.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "results/gnuplot_script.hpp"
#include "results/sample.hpp"
#include "results/schema.hpp"

namespace sim::results
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

const Compared& row(const std::vector<Compared>& rows, const std::string& name)
{
    return *std::find_if(rows.begin(), rows.end(),
                         [&](const Compared& r) { return r.name == name; });
}

ResultSet run_of(double step)
{
    auto set = sample::run();
    set.points = {sample::done({step})};
    return set;
}

TEST(Compare, AlignsRunsByNameAndTellsTheChange)
{
    const auto rows = compare({describe(run_of(10)), describe(run_of(9))});
    EXPECT_THAT(row(rows, "step_time").values, ElementsAre(10, 9));
    EXPECT_DOUBLE_EQ(row(rows, "step_time").change(1), -0.1);
    // One rank computes the step less 2 s, the other all of it.
    EXPECT_THAT(row(rows, "ledger compute_math").values, ElementsAre(9, 8));
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                            [](const Compared& r) { return r.name == "ledger bubble"; }),
              0);
}

TEST(Compare, SaysWhichEntriesMoved)
{
    EXPECT_EQ(what_moved(compare({describe(run_of(10)), describe(run_of(9))})),
              "The step goes from 10 s to 9 s (-10.0 %): compute math takes 1 s less.");
    EXPECT_EQ(what_moved(compare({describe(run_of(10)), describe(run_of(10))})),
              "The step is the same: 10 s.");
}

TEST(Compare, AlignsThePointsOfSweepsByTheirLabels)
{
    auto other = sample::sweep();
    std::swap(other.axes[0].values[0], other.axes[0].values[1]);
    std::swap(other.points[0], other.points[2]);
    std::swap(other.points[1], other.points[3]);
    const auto rows = compare({describe(sample::sweep()), describe(other)});
    EXPECT_THAT(row(rows, "step_time at nic 400G, routing even").values, ElementsAre(10, 10));
    const auto& second = row(rows, "step_time at nic 800G, routing even");
    EXPECT_THAT(second.values, ElementsAre(9, 9));
    EXPECT_TRUE(second.is_same());
    EXPECT_EQ(second.number(), "step_time");
    EXPECT_EQ(second.point(), "nic 800G, routing even");
}

TEST(Compare, LeavesWhatAFileLacksOpen)
{
    const auto rows = compare({describe(sample::run()), describe(sample::explained())});
    const auto& slope = row(rows, "elasticity sm");
    EXPECT_TRUE(std::isnan(slope.values[0]));
    EXPECT_DOUBLE_EQ(slope.values[1], -0.8);
    EXPECT_TRUE(std::isnan(slope.change(1)));
    EXPECT_FALSE(slope.is_same());
    EXPECT_EQ(slope.point(), "");
}

TEST(GnuplotScript, DrawsEveryKindThatAFileHas)
{
    const auto run = describe(sample::explained());
    for (const char* kind : {"ledger", "utilisation", "memory", "critical-path", "elasticity"}) {
        EXPECT_THAT(gnuplot_script(run, kind, "svg"), HasSubstr("plot $")) << kind;
    }
    EXPECT_THAT(gnuplot_script(describe(sample::sweep()), "step", "png"),
                HasSubstr("\"400G, even\" 10\n"));
}

TEST(GnuplotScript, SaysWhatAFileLacks)
{
    EXPECT_THROW((void)gnuplot_script(describe(sample::run()), "elasticity", "svg"), Error);
    EXPECT_THROW((void)gnuplot_script(describe(sample::sweep()), "memory", "svg"), Error);
}

}  // namespace
}  // namespace sim::results

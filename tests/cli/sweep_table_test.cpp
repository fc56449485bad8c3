#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "results/sample.hpp"

namespace sim::cli
{
namespace
{

using testing::HasSubstr;

TEST(SweepTable, HasARowAPointTheSentencesAndWhatFailed)
{
    const auto text = sweep_table(results::sample::sweep());
    // p5 of 11, 12, 13 lies a tenth of the way from 11 to 12.
    EXPECT_THAT(text, HasSubstr("400G  ecmp       12 s  11.1 s to 12.9 s          1000  40.0 %"));
    EXPECT_THAT(text, HasSubstr("800G  ecmp     failed"));
    EXPECT_THAT(text, HasSubstr("\n800G (even) shortens the step by 10.0 % against 400G "));
    EXPECT_THAT(text, HasSubstr("\n800G, ecmp (failed): no route\n"));
}

TEST(SweepTable, FitsThePageHoweverManyPurposesThereAre)
{
    auto set = results::sample::sweep();
    for (auto& point : set.points) {
        for (auto& run : point.runs) {
            for (auto& rank_class : run.result.classes) {
                for (const auto* purpose : {"tensor", "pipeline", "context", "expert"}) {
                    rank_class.communication.push_back(
                        {purpose, Time::of(0.123456), Time::of(1.23456), 1, 1, "leaf_spine"});
                }
            }
        }
    }
    std::istringstream lines{sweep_table(set)};
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), kPageWidth) << line;
    }
}

TEST(RunTable, TheSharesOfTheLedgerSumToTheStep)
{
    // Mean over the two ranks: 9 s of compute and 1 s exposed of 10 s.
    const auto text = run_table(results::sample::run());
    EXPECT_THAT(text, HasSubstr("90.0 %"));
    EXPECT_THAT(text, HasSubstr("10.0 %"));
    EXPECT_THAT(text, HasSubstr("bound by\n"));
}

}  // namespace
}  // namespace sim::cli

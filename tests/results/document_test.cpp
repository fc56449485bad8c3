#include "results/document.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "results/sample.hpp"
#include "results/schema.hpp"

namespace sim::results
{
namespace
{

using testing::HasSubstr;

TEST(Json, NestsValuesByTheirDimensionsAndSaysNullWhereNothingRan)
{
    const auto json = nlohmann::json::parse(to_json(describe(sample::sweep())));
    EXPECT_EQ(json["attributes"]["kind"], "sweep");
    const auto& step = json["summary"]["step_time"];
    EXPECT_EQ(step["dimensions"], (std::vector<std::string>{"nic", "routing"}));
    EXPECT_EQ(step["units"], "s");
    EXPECT_EQ(step["values"][0][1], 12);
    EXPECT_TRUE(step["values"][1][1].is_null());
}

TEST(Csv, OfASweepHasALineAPointAndTheUnitInTheColumnsName)
{
    const auto set = sample::sweep();
    const auto csv = to_wide_csv(describe(set), axis_names(set));
    EXPECT_THAT(csv, HasSubstr("nic,routing,summary.status,summary.message,summary.seeds,"
                               "summary.step_time_s,summary.tokens_per_second_tokens_per_s,"));
    EXPECT_THAT(csv, HasSubstr(",communication.exposed.data_s,"));
    EXPECT_THAT(csv, HasSubstr("\n400G,ecmp,done,,3,12,2000,"));
    EXPECT_THAT(csv, HasSubstr("\n800G,ecmp,failed,no route,0,,"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
}

TEST(Csv, OfARunHasALineAValue)
{
    const auto csv = to_long_csv(describe(sample::run()));
    EXPECT_THAT(csv, HasSubstr("group,variable,coordinates,value,unit\n"));
    EXPECT_THAT(csv, HasSubstr("\nsummary,step_time,,10,s\n"));
    EXPECT_THAT(csv, HasSubstr("\nclasses,time,rank_class=0;entry=exposed_data,2,s\n"));
}

TEST(Csv, QuotesWhatWouldBreakALine)
{
    auto set = sample::sweep();
    set.points[3].message = "one, \"two\"\nthree";
    EXPECT_THAT(to_wide_csv(describe(set), axis_names(set)),
                HasSubstr(",failed,\"one, \"\"two\"\"\nthree\",0,"));
}

}  // namespace
}  // namespace sim::results

#include "results/report.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "results/report_assets.hpp"
#include "results/sample.hpp"
#include "results/schema.hpp"

namespace sim::results
{
namespace
{

using testing::HasSubstr;
using testing::Not;

class ReportPage : public testing::Test
{
protected:
    void SetUp() override
    {
        if (assets::charts().empty()) {
            GTEST_SKIP() << "built without ECharts: scripts/fetch-echarts";
        }
    }
};

TEST_F(ReportPage, HoldsTheFileAndLoadsNothing)
{
    const auto page = report_page(describe(sample::explained()));
    EXPECT_THAT(page, HasSubstr("\"step_time\""));
    EXPECT_THAT(page, Not(HasSubstr("@@")));
    EXPECT_THAT(page, Not(HasSubstr("<script src")));
    EXPECT_THAT(page, Not(HasSubstr("<link rel=\"stylesheet\"")));
}

TEST_F(ReportPage, TextOfTheFileCannotEndTheScriptItStandsIn)
{
    auto set = sample::run();
    set.provenance.input_text = "</script><script>alert(1)</script>";
    const auto page = report_page(describe(set));
    EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
    EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
}

TEST_F(ReportPage, OfAThousandPointsIsBelowThreeMegabytes)
{
    // 20 x 50 points whose numbers have all their digits, six purposes and ten resources.
    auto set = sample::sweep();
    set.axes = {{"first", {}}, {"second", {}}};
    for (int i = 0; i < 20; ++i) {
        set.axes[0].values.push_back({std::to_string(i), {}});
    }
    for (int i = 0; i < 50; ++i) {
        set.axes[1].values.push_back({std::to_string(i), {}});
    }
    set.points.clear();
    for (int i = 0; i < 1000; ++i) {
        auto point = sample::done({10 + 1.0 / (3 + i)});
        auto& result = point.runs[0].result;
        for (int more = 0; more < 8; ++more) {
            result.resources.push_back({"resource" + std::to_string(more), 7, 1.0 / (7 + i),
                                        1.0 / (6 + i), 1e10 / (3 + i)});
        }
        for (auto& rank_class : result.classes) {
            for (int more = 0; more < 5; ++more) {
                rank_class.communication.push_back(
                    {"purpose" + std::to_string(more), Time::of(1.0 / (3 + i)),
                     Time::of(1.0 / (7 + i)), 1e9 / (3 + i), 1e9 / (7 + i), "nic"});
            }
        }
        set.points.push_back(std::move(point));
    }
    EXPECT_LT(report_page(describe(set)).size(), 3'000'000);
}

TEST(Report, RefusesAFileOfAnotherKind)
{
    Document document;
    document.attributes = {{"kind", std::string{"comm"}}};
    EXPECT_THROW((void)report_page(document), Error);
}

}  // namespace
}  // namespace sim::results

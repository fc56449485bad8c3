#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/contract.hpp"
#include "engine/play.hpp"
#include "engine/simgrid_options.hpp"
#include "engine/simgrid_weights.hpp"

namespace sim::engine::testing
{
namespace
{

using ::testing::Contains;
using ::testing::IsEmpty;

/// Consumptions of one activity that its whole weights stand for.
double consumption(const WeightScale& scale, const WholeWeights& weights, ResourceId resource)
{
    for (const auto& part : weights.parts) {
        if (part.resource == resource) {
            return part.times * scale.unit(resource) * weights.scale;
        }
    }
    return 0;
}

class WholeWeightsOf : public ::testing::Test
{
protected:
    WholeWeightsOf()
    {
        for (int i = 0; i < 3; ++i) {
            scale.add_resource();
        }
    }

    /// Checks that each use is met within `error`.
    WholeWeights expect_met(std::vector<Use> uses, double error)
    {
        const auto weights = scale.whole(uses);
        EXPECT_LE(weights.error, error);
        for (const Use& use : uses) {
            EXPECT_NEAR(consumption(scale, weights, use.resource) / use.consumption, 1,
                        error + 1e-13);
        }
        return weights;
    }

    WeightScale scale;
    const ResourceId a{0};
    const ResourceId b{1};
    const ResourceId c{2};
};

TEST_F(WholeWeightsOf, OneUseIsListedOnceWhateverItsConsumption)
{
    for (const double consumption : {1.0, std::numbers::pi, 1e-7, 1e9}) {
        EXPECT_EQ(expect_met({{a, consumption}}, 0).parts.at(0).times, 1u);
    }
}

TEST_F(WholeWeightsOf, TheFirstUseOfEachResourceIsExact)
{
    const auto weights = expect_met({{a, std::numbers::pi}, {b, std::numbers::e}}, 0);
    EXPECT_EQ(weights.parts.size(), 2u);
    EXPECT_EQ(weights.parts[0].times, 1u);
    EXPECT_EQ(weights.parts[1].times, 1u);
}

TEST_F(WholeWeightsOf, RatiosOfSmallNumbersAreExact)
{
    expect_met({{a, 1}, {b, 1}, {c, 1}}, 0);
    expect_met({{a, 3}, {b, 0.5}, {c, 1.25}}, 0);
    // 0.1 : 0.7 : 1.1 = 1 : 7 : 11, though none of them is exact in binary.
    expect_met({{a, 0.1}, {b, 0.7}, {c, 1.1}}, 0);
}

TEST_F(WholeWeightsOf, RepeatedUsesAddUpAndZeroIsLeftOut)
{
    const auto weights = scale.whole(std::vector<Use>{{a, 1}, {b, 1}, {a, 2}, {c, 0}});
    ASSERT_EQ(weights.parts.size(), 2u);
    EXPECT_DOUBLE_EQ(consumption(scale, weights, a), 3);
    EXPECT_DOUBLE_EQ(consumption(scale, weights, b), 1);
    EXPECT_THAT(scale.whole(std::vector<Use>{{c, 0}}).parts, IsEmpty());
}

TEST_F(WholeWeightsOf, AnIrrationalRatioIsMetToAFewPartsInAMillion)
{
    // Once the units are fixed at 1, two uses have 2080 repetitions to share. The convergents of pi
    // are 22/7, 333/106, 355/113: 468 repetitions are within 3.1415929 / pi - 1 = 8.5e-8.
    (void)scale.whole(std::vector<Use>{{a, 1}, {b, 1}});
    const auto weights = expect_met({{a, std::numbers::pi}, {b, 1}}, 1e-7);
    EXPECT_EQ(weights.parts[0].times, 355u);
    EXPECT_EQ(weights.parts[1].times, 113u);
}

TEST_F(WholeWeightsOf, TheNumberOfRepetitionsIsBounded)
{
    (void)scale.whole(std::vector<Use>{{a, 1}, {b, 1}});
    const auto weights = scale.whole(std::vector<Use>{{a, 1e9}, {b, 1}});
    EXPECT_LE(weights.parts[0].times + weights.parts[1].times, 2048u + 16 * 2 + 2);
    EXPECT_GT(weights.error, 0.1) << "what cannot be met is said";
}

TEST(SimgridOptions, SwitchOffWhatIsNotMaxMinSharing)
{
    const auto options = engine_options(Kind::simgrid);
    EXPECT_THAT(options, Contains("network/model:CM02"));
    EXPECT_THAT(options, Contains("network/crosstraffic:0"));
    EXPECT_THAT(options, Contains("network/TCP-gamma:0"));
    EXPECT_THAT(engine_options(Kind::native), IsEmpty());
}

TEST(SimgridOptions, ThePrecisionIsFarBelowANanosecondAndAboveTheClocksResolution)
{
    for (const double at : {1e-6, 1.0, 1e3}) {
        EXPECT_LE(simgrid_precision(at), 1e-2 * 1e-9);
        EXPECT_GE(simgrid_precision(at), 4 * (std::nextafter(at, 2 * at) - at));
    }
}

TEST(Simgrid, SaysNothing)
{
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    (void)play(Kind::simgrid, [](Stage& stage) { stage.transfer(0, 1e9, {{stage.link(1e9), 1}}); });
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Simgrid, SaysNothingWhenItEndsWithActivitiesRunning)
{
    ::testing::internal::CaptureStderr();
    EXPECT_THROW((void)play(Kind::simgrid,
                            [](Stage& stage) {
                                stage.transfer(0, 1e9, {{stage.link(0), 1}});
                            }),
                 Stalled);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Simgrid, ASecondEngineInAProcessIsABug)
{
    EXPECT_THROW((void)in_child([]() -> std::string {
                     const auto first = make_engine(Kind::simgrid);
                     const auto second = make_engine(Kind::simgrid);
                     return {};
                 }),
                 ContractViolation);
}

TEST(Simgrid, RoundedConsumptionsAreReportedOnce)
{
    ::testing::internal::CaptureStderr();
    (void)play(Kind::simgrid, [](Stage& stage) {
        const auto a = stage.link(1e9);
        const auto b = stage.link(1e9);
        stage.transfer(0, 1e9, {{a, 1}, {b, 1}});
        stage.transfer(1, 1e9, {{a, std::numbers::pi}, {b, 1}});
        stage.transfer(2, 1e9, {{a, std::numbers::e}, {b, 1}});
    });
    const auto words = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(words,
              "engine: warning: simgrid rounds consumptions to whole numbers, here by 8.5e-08; "
              "see simgrid.md\n");
}

}  // namespace
}  // namespace sim::engine::testing

#include "results/elasticity.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace sim::results
{
namespace
{

using replay::ResourceKind;
using replay::Scaling;
using testing::HasSubstr;
using testing::Not;

/// 6 s of math, then 3 s of traffic behind which 1 s of HBM hides, and 1 s of latencies.
double step_of(const Scaling& s)
{
    const double traffic = s.free_communication ? 0 : 3 / s.of(ResourceKind::nic);
    const double latency = s.free_communication ? 0 : s.latency;
    return 6 / s.of(ResourceKind::sm) + std::max(traffic, 1 / s.of(ResourceKind::hbm)) + latency;
}

Elasticity study()
{
    return elasticity(step_of, {"sm", "hbm", "nic"}, [](std::size_t, std::size_t) {});
}

const ResourceElasticity& of(const Elasticity& all, const std::string& name)
{
    return *std::find_if(all.resources.begin(), all.resources.end(),
                         [&](const auto& r) { return r.resource == name; });
}

TEST(Elasticity, IsTheShareOfAStepThatAResourceDecides)
{
    // T = 6/sm + 3/nic + latency = 10 s, so d ln T / d ln sm = -6/10, and -3/10 for the NIC.
    // A central difference over 2 % errs by (ln 1.02)^2 / 6 relative, some 1e-4.
    const auto found = study();
    EXPECT_DOUBLE_EQ(found.step, 10);
    EXPECT_NEAR(of(found, "sm").slope, -0.6, 1e-4);
    EXPECT_NEAR(of(found, "nic").slope, -0.3, 1e-4);
    EXPECT_NEAR(of(found, "hbm").slope, 0, 1e-12);
    EXPECT_NEAR(of(found, "latency").slope, -0.1, 1e-4);
}

TEST(Elasticity, TellsTheStepWithTwiceAndEndlesslyMuch)
{
    const auto found = study();
    EXPECT_DOUBLE_EQ(of(found, "sm").doubled, 7);         // 3 + 3 + 1
    EXPECT_DOUBLE_EQ(of(found, "nic").doubled, 8.5);      // 6 + 1.5 + 1
    EXPECT_DOUBLE_EQ(of(found, "nic").endless, 8);        // 6 + 1 of HBM + 1
    EXPECT_DOUBLE_EQ(of(found, "latency").doubled, 9.5);  // 6 + 3 + 0.5
    EXPECT_DOUBLE_EQ(of(found, "latency").endless, 9);
    EXPECT_NEAR(of(found, "sm").endless, 4, 1e-5);
    EXPECT_DOUBLE_EQ(found.free_communication, 7);  // 6 + 1 of HBM
}

TEST(Explanation, SaysWhatIsTrueOfEveryResource)
{
    const auto text = study().explanation;
    EXPECT_THAT(text, HasSubstr("A step takes 10 s. It is bound by the SMs' speed first: doubling "
                                "the SMs' speed makes it 7 s (30.0 % less); endless capacity "
                                "would make it 4 s."));
    EXPECT_THAT(text, HasSubstr("Next, doubling the NICs makes it 8.5 s (15.0 % less); endless "
                                "capacity would make it 8 s."));
    EXPECT_THAT(text, HasSubstr("Nothing comes of HBM bandwidth: even without end, each alone "
                                "saves at most 0.0 %."));
    EXPECT_THAT(text, HasSubstr("If all communication were free the step would take 7 s, so no "
                                "network, however fast, can save more than 30.0 %."));
}

TEST(Explanation, SaysWhereMoreThanTwiceGivesNoMore)
{
    // Traffic of 1.2 s over 1 s of HBM: twice the NICs gains all that there is to gain.
    const auto limited = [](const Scaling& s) {
        return 5 + std::max(1.2 / s.of(ResourceKind::nic), 1.0);
    };
    const auto found = elasticity(limited, {"nic"}, [](std::size_t, std::size_t) {});
    EXPECT_THAT(found.explanation,
                HasSubstr("doubling the NICs makes it 6 s (3.2 % less); beyond that there is "
                          "nothing more to gain (endless capacity gives 6 s)."));
}

TEST(Explanation, TellsTheLargestShareFromTheLargestGain)
{
    auto found = study();
    found.largest_share = "sm";
    EXPECT_EQ(explain(found), found.explanation);
    found.largest_share = "hbm";
    EXPECT_THAT(explain(found), HasSubstr("(The largest share of its time goes to HBM bandwidth, "
                                          "which is what `binding` names; more of that is not "
                                          "what gains most.) Next, doubling the NICs"));
}

TEST(Explanation, DoesNotBlameAResourceWhenNoneBinds)
{
    const auto found = elasticity([](const Scaling&) { return 2.0; }, {"sm", "nic"},
                                  [](std::size_t, std::size_t) {});
    EXPECT_THAT(found.explanation, HasSubstr("No single resource binds it"));
    EXPECT_THAT(found.explanation, Not(HasSubstr("bound by the")));
    EXPECT_THAT(found.explanation, HasSubstr("Communication costs the step nothing"));
}

TEST(Elasticity, TellsHowFarItIs)
{
    // Two simulations, and four for each of three resources and latency.
    std::size_t calls = 0;
    (void)elasticity(step_of, {"sm", "hbm", "nic"}, [&](std::size_t done, std::size_t all) {
        EXPECT_EQ(done, ++calls);
        EXPECT_EQ(all, 2 + 4 * 4);
    });
    EXPECT_EQ(calls, 18);
}

}  // namespace
}  // namespace sim::results

#include "results/verdict.hpp"

#include <gmock/gmock.h>

#include "results/sample.hpp"

namespace sim::results
{
namespace
{

using testing::HasSubstr;
using testing::Not;

Summary step(double seconds, std::vector<PurposeSummary> communication)
{
    Summary s;
    s.step.mean = seconds;
    s.communication = std::move(communication);
    return s;
}

PurposeSummary data(double exposed, double hidden, const std::string& binding)
{
    return {"data", exposed, hidden, 1e9, 1e9, binding};
}

Comparison nics(const Summary& before, const Summary& after)
{
    return {"400G Gen5", "800G Gen5", "1:1, even", before, after};
}

TEST(Sentence, SaysHowMuchFasterWhichTrafficAndWhatSetsThePace)
{
    // 10 s to 9.5 s is 5 %; 1 + 1 = 2 s of traffic became 0.5 + 0.9 = 1.4 s.
    EXPECT_EQ(sentence(nics(step(10, {data(1, 1, "nic")}), step(9.5, {data(0.5, 0.9, "pcie")}))),
              "800G Gen5 (1:1, even) shortens the step by 5.0 % against 400G Gen5 (10 s to 9.5 s): "
              "1.4 s of data-parallel traffic instead of 2 s, 900 ms of it hidden (exposed 500 ms "
              "instead of 1 s); its pace is now set by pcie, no longer by nic.");
}

TEST(Sentence, SaysWhyHiddenTrafficGainsNothing)
{
    // Exposed 0.005 s is below 0.1 % of 10 s: all of it counts as hidden.
    EXPECT_EQ(sentence(nics(step(10, {data(0.005, 0.655, "nic")}),
                            step(10, {data(0.005, 0.325, "nic")}))),
              "800G Gen5 (1:1, even) leaves the step of 400G Gen5 at 10 s: 330 ms of "
              "data-parallel traffic instead of 660 ms, all of it hidden; its pace is still set by "
              "nic, and 400G Gen5 had hidden 99 % of it already.");
}

TEST(Sentence, CallsALongerStepLonger)
{
    EXPECT_THAT(sentence(nics(step(10, {data(0, 1, "nic")}), step(11, {data(1, 1, "leaf_spine")}))),
                HasSubstr("lengthens the step by 10.0 % against 400G Gen5 (10 s to 11 s)"));
}

TEST(Sentence, AChangeBelowATwentiethOfAPercentIsNoChange)
{
    const auto before = step(10, {data(0, 1, "nic")});
    EXPECT_THAT(sentence(nics(before, step(9.9951, {data(0, 1, "nic")}))), HasSubstr("leaves"));
    EXPECT_THAT(sentence(nics(before, step(9.994, {data(0, 1, "nic")}))), HasSubstr("shortens"));
}

TEST(Sentence, SpeaksOfThePurposeThatMovesMostAndNamesTheOthersThatMove)
{
    const PurposeSummary before{"pipeline", 0.2, 0, 1e9, 1e9, "nic"};
    const PurposeSummary after{"pipeline", 0.1, 0, 1e9, 1e9, "nic"};
    const auto text = sentence(
        nics(step(10, {before, data(1, 0, "nic")}), step(9.4, {after, data(0.5, 0, "nic")})));
    EXPECT_THAT(text, HasSubstr("500 ms of data-parallel traffic instead of 1 s, none of it"));
    EXPECT_THAT(text, HasSubstr("; pipeline traffic exposes 100 ms less."));
}

TEST(Sentence, WhenNothingMovesSpeaksOfTheNetworkNotOfNvlink)
{
    const PurposeSummary tensor{"tensor", 3, 0, 1e9, 0, "nvlink"};
    const auto same = step(10, {tensor, data(0.5, 0.5, "pcie")});
    const auto text = sentence(nics(same, same));
    EXPECT_THAT(text, HasSubstr("1 s of data-parallel traffic, 500 ms of it hidden"));
    EXPECT_THAT(text, HasSubstr("still set by pcie, which this does not change."));
    EXPECT_THAT(text, Not(HasSubstr("tensor")));
}

TEST(Sentence, SpeaksOfHiddenTrafficThatGotFasterAndOfTheComputeItFreed)
{
    // Data traffic 0.7 -> 0.4 s moves most although all of it is hidden; 5 - 4.98 s = 20 ms.
    const PurposeSummary before{"tensor", 1.38, 0.8, 1e9, 0, "nvlink"};
    const PurposeSummary after{"tensor", 1.40, 0.8, 1e9, 0, "nvlink"};
    auto slow = step(7, {before, data(0, 0.7, "pcie")});
    auto fast = step(6.98, {after, data(0, 0.4, "nic")});
    slow.ledger[static_cast<std::size_t>(replay::Entry::compute_math)] = 5;
    fast.ledger[static_cast<std::size_t>(replay::Entry::compute_math)] = 4.98;
    const auto text = sentence(nics(slow, fast));
    EXPECT_THAT(text, HasSubstr("400 ms of data-parallel traffic instead of 700 ms, all of it"));
    EXPECT_THAT(text, HasSubstr("; tensor-parallel traffic exposes 20 ms more"));
    EXPECT_THAT(text, HasSubstr("; compute takes 20 ms less beside it."));
}

TEST(Sentence, SaysSoWhenNobodyCommunicates)
{
    auto alone = nics(step(10, {}), step(10, {}));
    alone.fixed.clear();
    EXPECT_EQ(sentence(alone),
              "800G Gen5 leaves the step of 400G Gen5 at 10 s: its ranks do not communicate.");
}

TEST(Comparisons, PairTheFirstAxisWithTheOthersFixedAndSkipWhatFailed)
{
    const auto pairs = comparisons(sample::sweep());
    ASSERT_EQ(pairs.size(), 1);  // 400G against 800G with even; with ecmp 800G failed
    EXPECT_EQ(pairs[0].from, "400G");
    EXPECT_EQ(pairs[0].to, "800G");
    EXPECT_EQ(pairs[0].fixed, "even");
    EXPECT_DOUBLE_EQ(pairs[0].before.step.mean, 10);
    EXPECT_DOUBLE_EQ(pairs[0].after.step.mean, 9);
}

TEST(Comparisons, OfARunAreNone) { EXPECT_TRUE(comparisons(sample::run()).empty()); }

}  // namespace
}  // namespace sim::results

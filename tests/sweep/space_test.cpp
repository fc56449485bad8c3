#include "sweep/space.hpp"

#include <gmock/gmock.h>

#include "core/diagnostics.hpp"

namespace sim::sweep
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

config::LoadedSweep sweep_of(std::vector<spec::Axis> axes)
{
    config::LoadedSweep sweep;
    sweep.spec.axes = std::move(axes);
    return sweep;
}

spec::Axis axis(const std::string& key, const std::vector<std::string>& values)
{
    spec::Axis axis{key, {}, {}};
    for (const auto& value : values) {
        axis.values.push_back({value, {{key, value}}});
    }
    return axis;
}

std::vector<std::string> texts(const config::LoadedSweep& sweep)
{
    const Space space{sweep};
    std::vector<std::string> all;
    for (const auto point : plan(space, sweep)) {
        auto& text = all.emplace_back();
        for (const auto& [key, value] : space.settings(point)) {
            text += (text.empty() ? "" : " ") + key + "=" + value;
        }
    }
    return all;
}

std::string complaint(const config::LoadedSweep& sweep)
{
    try {
        static_cast<void>(texts(sweep));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no complaint";
}

TEST(Space, TheFirstAxisIsSlowestAndAValueMaySetSeveralKeys)
{
    const auto sweep = sweep_of(
        {{"nic", {{"400G", {{"b", "400"}, {"g", "5"}}}, {"800G", {{"b", "800"}, {"g", "6"}}}}, {}},
         axis("n", {"1", "2"})});
    EXPECT_THAT(texts(sweep),
                ElementsAre("b=400 g=5 n=1", "b=400 g=5 n=2", "b=800 g=6 n=1", "b=800 g=6 n=2"));
}

TEST(Space, RulesKeepAndLeaveOutByLabelAndByExpression)
{
    auto sweep = sweep_of({axis("net", {"tree", "torus"}), axis("nodes", {"2", "4", "8"})});
    sweep.spec.exclude = {{{{"net", {"torus"}}, {"nodes", {"2", "4"}}}, {}}};
    EXPECT_THAT(texts(sweep), ElementsAre("net=tree nodes=2", "net=tree nodes=4",
                                          "net=tree nodes=8", "net=torus nodes=8"));
    sweep.spec.include = {{{}, "nodes >= 4"}};
    EXPECT_THAT(texts(sweep),
                ElementsAre("net=tree nodes=4", "net=tree nodes=8", "net=torus nodes=8"));
    sweep.spec.include = {{{}, "nodes > 8"}};
    EXPECT_THAT(complaint(sweep), HasSubstr("leave no point"));
}

TEST(Space, AnAxisWithoutItsConditionSetsNothingAndIsThereOnce)
{
    auto sweep = sweep_of({axis("nodes", {"1", "2"}), axis("over", {"1", "4"})});
    sweep.spec.axes[1].when = "nodes > 1";
    EXPECT_THAT(texts(sweep), ElementsAre("nodes=1", "nodes=2 over=1", "nodes=2 over=4"));
    EXPECT_THAT(Space{sweep}.labels(0), ElementsAre("1", "-"));
}

TEST(Space, DerivedKeysFollowFromTheAxesInBaseUnits)
{
    auto sweep =
        sweep_of({axis("cluster.nodes", {"2", "3"}), axis("cluster.nic.bandwidth", {"400 Gbps"})});
    // 400 Gbps are 50e9 B/s.
    sweep.spec.derived = {{"batch", "16 * nodes", {}}, {"half", "bandwidth / 2 / 1e9", "GB/s"}};
    EXPECT_THAT(
        texts(sweep),
        ElementsAre("cluster.nodes=2 cluster.nic.bandwidth=400 Gbps batch=32 half=25 GB/s",
                    "cluster.nodes=3 cluster.nic.bandwidth=400 Gbps batch=48 half=25 GB/s"));
}

TEST(Space, AnExpressionWithoutAValueIsToldWithItsKeyAndTheNumbers)
{
    auto sweep = sweep_of({axis("nodes", {"1", "0"}), axis("net", {"tree"})});
    sweep.spec.derived = {{"batch", "16 / nodes", {}}};
    EXPECT_THAT(complaint(sweep), HasSubstr("derive.batch: \"16 / nodes\" is not a finite number "
                                            "where nodes = 0"));
    sweep.spec.derived = {{"batch", "16 * net", {}}};
    EXPECT_THAT(complaint(sweep), HasSubstr("uses axis \"net\" as a number"));
}

TEST(Space, APointKeepsItsIdWhenTheSweepGrowsAndItsAxesChangePlaces)
{
    const auto small = sweep_of({axis("a", {"1"}), axis("b", {"x"})});
    const auto large = sweep_of({axis("b", {"w", "x"}), axis("a", {"0", "1"})});
    EXPECT_EQ(Space{small}.id(0), Space{large}.id(3));
    EXPECT_NE(Space{small}.id(0), Space{large}.id(2));
}

TEST(Space, APointHasAnotherIdWhenAFileItNamesChanges)
{
    auto sweep = sweep_of({axis("gpu.extends", {"a.yaml"})});
    sweep.files = {{"a.yaml", "one"}};
    const auto one = Space{sweep}.id(0);
    sweep.files = {{"a.yaml", "two"}};
    EXPECT_NE(one, Space{sweep}.id(0));
}

TEST(Space, TwoPointsThatSetTheSameClash)
{
    // Derived keys are no reason to think two points the same; equal settings are.
    const auto sweep = sweep_of({{"x", {{"p", {{"k", "1"}}}, {"q", {{"k", "1"}}}}, {}}});
    EXPECT_THAT(complaint(sweep), HasSubstr("two points set the same: (p) and (q)"));
}

TEST(Space, WithoutAxesIsOnePointThatSetsNothing)
{
    EXPECT_THAT(texts(sweep_of({})), ElementsAre(""));
}

}  // namespace
}  // namespace sim::sweep

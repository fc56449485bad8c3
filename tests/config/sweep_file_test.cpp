#include <gmock/gmock.h>

#include <set>

#include "config/expression.hpp"
#include "config/fixture.hpp"

namespace sim::config
{
namespace
{

class SweepFile : public InFolder
{
protected:
    SweepFile() { write_good(); }

    static void write_sweep(const std::string& axes)
    {
        write("sweeps/s.yaml", "format: 1\nbase: ../run.yaml\naxes:\n" + axes);
    }
};

TEST_F(SweepFile, GivesAxesSeedsAndPathsAsWritten)
{
    write_sweep(
        "  cluster.nic.bandwidth: [400 Gbps, 800 Gbps]\n"
        "  size:\n"
        "    - { label: small, settings: { cluster.nodes: 2, workload.global_batch: 16 } }\n"
        "    - { label: large, settings: { cluster.nodes: 4, workload.global_batch: 32 } }\n"
        "seeds: 3\noutput: ../results/s.h5\n");
    EXPECT_TRUE(is_sweep("sweeps/s.yaml"));
    EXPECT_FALSE(is_sweep("run.yaml"));
    const auto loaded = load_sweep("sweeps/s.yaml", {});
    EXPECT_EQ(loaded.spec.name, "s");
    ASSERT_EQ(loaded.spec.bases.size(), 1U);
    EXPECT_EQ(loaded.spec.bases[0].label, "run");
    EXPECT_EQ(loaded.spec.output, "results/s.h5");
    EXPECT_EQ(loaded.spec.seeds, 3);
    EXPECT_NO_THROW(static_cast<void>(load_experiment(loaded.spec.bases[0].path, {})));
    ASSERT_EQ(loaded.spec.axes.size(), 2U);
    const auto& plain = loaded.spec.axes[0];
    EXPECT_EQ(plain.name, "cluster.nic.bandwidth");
    EXPECT_EQ(plain.values[1].label, "800 Gbps");
    EXPECT_EQ(plain.values[1].settings[0].key, "cluster.nic.bandwidth");
    const auto& zipped = loaded.spec.axes[1];
    EXPECT_EQ(zipped.values[1].label, "large");
    EXPECT_EQ(zipped.values[1].settings[1].key, "workload.global_batch");
    EXPECT_EQ(zipped.values[1].settings[1].text, "32");
}

TEST_F(SweepFile, MayTurnAKeyThatTheExperimentLeavesOut)
{
    write_sweep("  cluster.fabric.uplink: [400 Gbps]\n");
    EXPECT_EQ(load_sweep("sweeps/s.yaml", {}).spec.axes.size(), 1U);
}

TEST_F(SweepFile, GivesPathsThatWorkFromTheCommandLine)
{
    write("parts/n.yaml", "{ name: Part, bandwidth: 1 GB/s, efficiency: 0.9, latency: 4 us }\n");
    write_sweep("  cluster.nic.extends: [../parts/n.yaml]\n");
    const auto loaded = load_sweep("sweeps/s.yaml", {});
    const auto& setting = loaded.spec.axes[0].values[0].settings[0];
    const auto point = load_experiment(loaded.spec.bases[0].path, {{setting.key, setting.text}});
    EXPECT_EQ(point.spec.cluster.node.nic.name, "Part");
}

TEST_F(SweepFile, KeepsOverridesOfTheExperimentForItsPoints)
{
    write_sweep("  cluster.nodes: [2]\n");
    const auto loaded = load_sweep("sweeps/s.yaml", {{"seeds", "5"}, {"seed", "1"}});
    EXPECT_EQ(loaded.spec.seeds, 5);
    ASSERT_EQ(loaded.overrides.size(), 1U);
    EXPECT_EQ(loaded.overrides[0].key, "seed");
}

TEST_F(SweepFile, AnAxisOverAKeyThatDoesNotExistIsRefused)
{
    write_sweep("  cluster.nic.bandwith: [400 Gbps]\n");
    EXPECT_EQ(
        complaint("sweeps/s.yaml"),
        R"(sweeps/s.yaml:4:3: error: axes.cluster.nic.bandwith: the experiment has no key "cluster.nic.bandwith"
    4 |   cluster.nic.bandwith: [400 Gbps]
      |   ^
      = did you mean "cluster.nic.bandwidth"?
)");
}

TEST_F(SweepFile, AnEmptyAxisIsRefused)
{
    write_sweep("  cluster.nodes: []\n");
    EXPECT_EQ(complaint("sweeps/s.yaml"),
              R"(sweeps/s.yaml:4:18: error: axes.cluster.nodes: has no values
    4 |   cluster.nodes: []
      |                  ^
      = an axis needs at least one
)");
}

TEST_F(SweepFile, AMissingBaseIsToldAtTheReference)
{
    write("sweeps/s.yaml", "format: 1\nbase: run.yaml\naxes: { seed: [1] }\n");
    EXPECT_EQ(complaint("sweeps/s.yaml"),
              R"(sweeps/s.yaml:2:7: error: base: cannot read "sweeps/run.yaml": no such file
    2 | base: run.yaml
      |       ^
)");
}

TEST_F(SweepFile, UnknownKeysAndUnevenEntriesAreRefused)
{
    write_sweep("  x:\n    - { label: a, setings: { seed: 1 } }\nseed: 3\n");
    EXPECT_EQ(complaint("sweeps/s.yaml"),
              R"(sweeps/s.yaml:5:7: error: axes.x.0.settings: missing
    5 |     - { label: a, setings: { seed: 1 } }
      |       ^
      = write settings: { cluster.nic.bandwidth: 400 Gbps }
sweeps/s.yaml:5:19: error: axes.x.0.setings: unknown key
    5 |     - { label: a, setings: { seed: 1 } }
      |                   ^
      = did you mean "settings"?
sweeps/s.yaml:6:1: error: seed: unknown key
    6 | seed: 3
      | ^
      = did you mean "seeds"?
)");
}

TEST_F(SweepFile, TwoAxesOverOneKeyAreRefused)
{
    write_sweep("  seed: [1, 2]\n  x: [{ label: a, settings: { seed: 3 } }]\n");
    EXPECT_EQ(complaint("sweeps/s.yaml"),
              R"(sweeps/s.yaml:5:3: error: axes.x: sets seed, as axis "seed" does
    5 |   x: [{ label: a, settings: { seed: 3 } }]
      |   ^
      = put both into one axis of { label, settings }
)");
}

TEST_F(SweepFile, ARangeGoesByStepFactorOrCountAndKeepsItsUnit)
{
    write_sweep(
        "  cluster.nic.bandwidth: { from: 100 Gbps, to: 800 Gbps, factor: 2 }\n"
        "  cluster.nodes: { from: 2, to: 9, step: 3 }\n"
        "  seed: { from: 1, to: 100, count: 3, scale: log }\n");
    const auto axes = load_sweep("sweeps/s.yaml", {}).spec.axes;
    std::vector<std::vector<std::string>> labels;
    for (const auto& axis : axes) {
        auto& of_axis = labels.emplace_back();
        for (const auto& value : axis.values) {
            of_axis.push_back(value.label);
            EXPECT_EQ(value.settings[0].text, value.label);
        }
    }
    using testing::ElementsAre;
    // 2, 5, 8: the next step would be beyond 9. The middle of 1 and 100 by ratio is 10.
    EXPECT_THAT(labels, ElementsAre(ElementsAre("100 Gbps", "200 Gbps", "400 Gbps", "800 Gbps"),
                                    ElementsAre("2", "5", "8"), ElementsAre("1", "10", "100")));
}

TEST_F(SweepFile, ARangeThatMakesNoSenseIsRefusedWithItsPlace)
{
    write_sweep(
        "  cluster.nic.bandwidth: { from: 100 Gbps, to: 800 GB/s, factor: 2 }\n"
        "  cluster.nodes: { from: 9, to: 2, step: 3 }\n"
        "  seed: { from: 1, to: 9, stp: 3 }\n");
    const auto said = complaint("sweeps/s.yaml");
    EXPECT_THAT(said,
                testing::HasSubstr("s.yaml:4:26: error: axes.cluster.nic.bandwidth: must have "
                                   "one unit in all its numbers"));
    EXPECT_THAT(said, testing::HasSubstr("s.yaml:5:18: error: axes.cluster.nodes: must rise"));
    EXPECT_THAT(said, testing::HasSubstr("s.yaml:6:27: error: axes.seed.stp: unknown key"));
    EXPECT_THAT(said, testing::HasSubstr("axes.seed: is a range without step, factor or count"));
}

TEST_F(SweepFile, TooManyPointsAreRefusedBeforeAnyIsMade)
{
    // Ten thousand values twice: 1e8 points.
    write_sweep(
        "  seed: { from: 1, to: 10000, step: 1 }\n"
        "  cluster.nodes: { from: 1, to: 10000, step: 1 }\n");
    EXPECT_THAT(complaint("sweeps/s.yaml"),
                testing::HasSubstr("s.yaml:4:3: error: axes: make 1e+08 points, at most 1e+07"));
}

TEST_F(SweepFile, TwoValuesThatSetTheSameClash)
{
    write_sweep(
        "  x:\n    - { label: a, settings: { seed: 1 } }\n    - { label: b, settings: { seed: 1 } "
        "}\n");
    EXPECT_THAT(complaint("sweeps/s.yaml"),
                testing::HasSubstr("s.yaml:4:3: error: axes.x: \"a\" and \"b\" set the same"));
}

TEST_F(SweepFile, ExpressionsAreCheckedWhereTheyStand)
{
    write_sweep(
        "  cluster.nodes: { values: [2, 4], when: \"seeed > 1\" }\n  seed: [1, 2]\n"
        "derive: { workload.global_batch: \"8 * (nodes\" }\nexclude: [\"nodes >\", { nods: 2 }]\n");
    const auto said = complaint("sweeps/s.yaml");
    EXPECT_THAT(said, testing::HasSubstr("s.yaml:4:3: error: axes.cluster.nodes: \"seeed\" is no "
                                         "axis; did you mean \"seed\"?"));
    EXPECT_THAT(said, testing::HasSubstr("s.yaml:6:34: error: derive.workload.global_batch: \"8 * "
                                         "(nodes\" is no expression"));
    EXPECT_THAT(said, testing::HasSubstr("s.yaml:7:11: error: exclude.0: \"nodes >\" is no"));
    EXPECT_THAT(said, testing::HasSubstr("error: exclude.1.nods: is no axis of this sweep"));
}

TEST_F(SweepFile, LatinHypercubeTakesOnePointOfEachEqualPartOfEachAxis)
{
    write_sweep(
        "  cluster.nic.bandwidth: { from: 100 Gbps, to: 200 Gbps }\n  cluster.nodes: [2, 4]\n"
        "sample: { points: 10, seed: 3 }\n");
    const auto axes = load_sweep("sweeps/s.yaml", {}).spec.axes;
    ASSERT_EQ(axes.size(), 1U);
    ASSERT_EQ(axes[0].values.size(), 10U);
    std::set<int> parts;
    int small = 0;
    for (const auto& value : axes[0].values) {
        parts.insert(static_cast<int>((std::stod(value.settings[0].text) - 100) / 10));
        small += value.settings[1].text == "2";
    }
    EXPECT_EQ(parts.size(), 10U);  // one in each tenth of 100 to 200
    EXPECT_EQ(small, 5);           // half of the tenths are the first value's
}

TEST_F(SweepFile, SeveralBasesAreTheFirstAxis)
{
    write("other.yaml", "extends: run.yaml\n");
    write(
        "sweeps/s.yaml",
        "format: 1\nbase: [../run.yaml, { label: b, path: ../other.yaml }]\naxes: { seed: [1] }\n");
    const auto spec = load_sweep("sweeps/s.yaml", {}).spec;
    ASSERT_EQ(spec.axes.size(), 2U);
    EXPECT_EQ(spec.axes[0].name, "base");
    EXPECT_EQ(spec.axes[0].values[0].label, "run");
    EXPECT_EQ(spec.axes[0].values[1].label, "b");
}

TEST_F(SweepFile, TheInputTextHoldsFilesThatOnlyAnAxisReads)
{
    write("parts/n.yaml", "{ name: Part, bandwidth: 1 GB/s, efficiency: 0.9, latency: 4 us }\n");
    write_sweep("  cluster.nic.extends: [../parts/n.yaml]\n");
    EXPECT_THAT(load_sweep("sweeps/s.yaml", {}).input_text, testing::HasSubstr("name: Part"));
}

TEST_F(SweepFile, AnUnknownMetricIsRefusedWithTheNearestOne)
{
    write_sweep("  seed: [1]\nobjective: { minimise: step_tim }\nsearch: { keep: 2 }\n");
    const auto said = complaint("sweeps/s.yaml");
    EXPECT_THAT(said, testing::HasSubstr("\"step_tim\" is no metric"));
    EXPECT_THAT(said, testing::HasSubstr("did you mean \"step_time\"?"));
    EXPECT_THAT(said, testing::HasSubstr("search.keep: must be above 0 and at most 1"));
}

/// Every mistake of an expression at its own place, all at once.
TEST_F(SweepFile, RulesAndConstraintsThatSayNothingAreRefusedWhereTheyStand)
{
    write_sweep(
        "  cluster.nodes: [2, 4]\n"
        "exclude: [\"sqrt(-1) > 0\"]\n"
        "objective: { minimise: step_time, subject_to: [\"mfu >\", \"foo > 1\", \"3\"] }\n");
    const auto said = complaint("sweeps/s.yaml");
    EXPECT_THAT(said, testing::HasSubstr("exclude.0: \"sqrt(-1) > 0\" names no axis"));
    EXPECT_THAT(said, testing::HasSubstr("6:48: error: objective.subject_to.0: \"mfu >\" is no"));
    EXPECT_THAT(said, testing::HasSubstr("objective.subject_to.1: \"foo\" is no metric"));
    EXPECT_THAT(said, testing::HasSubstr("objective.subject_to.2: \"3\" names no metric"));
}

TEST_F(SweepFile, ARangeIsToldWhichOfItsKeysIsWrong)
{
    write_sweep(
        "  cluster.nodes: { from: 2, to: 4, factor: 1 }\n"
        "  seed: { from: 1, to: 8000000, step: 1 }\n"
        "  workload.sequence: { from: 1, to: 8, count: 1 }\n");
    const auto said = complaint("sweeps/s.yaml");
    EXPECT_THAT(said, testing::HasSubstr("axes.cluster.nodes.factor: must be above 1"));
    EXPECT_THAT(said, testing::HasSubstr("axes.seed.step: makes more than a million values"));
    EXPECT_THAT(said, testing::HasSubstr("axes.workload.sequence.count: must be a whole number"));
}

std::string no_value(const std::string& text)
{
    try {
        (void)Expression{text, {"a"}}.value({0});
    } catch (const InputError& error) {
        return error.diagnostics().front().message;
    }
    return "";
}

/// inf > 1 is true and NaN > 1 is false, but neither answers what was asked.
TEST(Expressions, APartWithoutAValueIsRefusedAlsoInsideAComparison)
{
    const std::string why = "has a part that is not a finite number where a = 0";
    EXPECT_THAT(no_value("1/a > 1"), testing::HasSubstr(why));
    EXPECT_THAT(no_value("log2(a) > 1"), testing::HasSubstr(why));
    EXPECT_THAT(no_value("sqrt(a - 1) > 1"), testing::HasSubstr(why));
    EXPECT_THAT(no_value("1/a"), testing::HasSubstr("\"1/a\" is not a finite number"));
    EXPECT_EQ(no_value("a == 0 ? 1 : 1/a"), "");
    EXPECT_EQ(no_value("a/3 + 1e-3 < 1"), "");
}

}  // namespace
}  // namespace sim::config

#include <gmock/gmock.h>

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
    EXPECT_EQ(loaded.spec.base, "run.yaml");
    EXPECT_EQ(loaded.spec.output, "results/s.h5");
    EXPECT_EQ(loaded.spec.seeds, 3);
    EXPECT_NO_THROW(static_cast<void>(load_experiment(loaded.base_path, {})));
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
    const auto point = load_experiment(loaded.base_path, {{setting.key, setting.text}});
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

}  // namespace
}  // namespace sim::config

#include "config/measured_systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/load.hpp"
#include "core/diagnostics.hpp"

namespace sim::config
{
namespace
{

const std::string kHome = WEFTSIM_SOURCE_DIR "/";

TEST(MeasuredSystems, EveryMeasuredSystemHasAMachineOrAReason)
{
    const auto table = load_measured_systems(kHome + "configs/validation/collective-systems.yaml");
    EXPECT_GT(table.systems.size(), 20U);
    auto systems = table.systems;
    systems.insert(systems.end(), table.gpus.begin(), table.gpus.end());
    for (const auto& system : systems) {
        EXPECT_EQ(system.cluster.empty(), !system.reason.empty()) << system.match;
        if (!system.cluster.empty()) {
            const auto loaded = load_cluster(system.cluster, system.settings);
            EXPECT_TRUE(loaded.collective.tuning.has_value()) << system.match;
        }
    }
}

TEST(MeasuredSystems, ReadsThePartsOfATuningFromThreeFiles)
{
    const auto cluster = load_cluster(kHome + "configs/validation/clusters/hgx-h100.yaml", {});
    const auto& tuning = *cluster.collective.tuning;
    EXPECT_EQ(tuning.transport.name, "InfiniBand");
    EXPECT_TRUE(tuning.ll128.has_value());
    EXPECT_TRUE(tuning.nvls.has_value());
    EXPECT_EQ(tuning.gpus_per_process, 1);
    EXPECT_FALSE(tuning.harness.has_value());
}

TEST(MeasuredSystems, SaysWhatIsWrongWithATuning)
{
    try {
        static_cast<void>(load_cluster(kHome + "configs/validation/clusters/hgx-h100.yaml",
                                       {{"collective.tuning.ll.share", "0"},
                                        {"collective.tuning.nvls.efficiency", "1.5"},
                                        {"collective.tuning.gpus_per_process", "0"}}));
        FAIL();
    } catch (const InputError& error) {
        std::vector<std::string> keys;
        for (const auto& diagnostic : error.diagnostics()) {
            keys.push_back(diagnostic.key);
        }
        std::sort(keys.begin(), keys.end());
        EXPECT_EQ(keys, (std::vector<std::string>{"collective.tuning.gpus_per_process",
                                                  "collective.tuning.ll.share",
                                                  "collective.tuning.nvls.efficiency"}));
    }
}

}  // namespace
}  // namespace sim::config

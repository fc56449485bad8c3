#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/read_costs.hpp"

namespace sim::config
{
namespace
{

namespace fs = std::filesystem;

const std::string kHome = std::string{WEFTSIM_SOURCE_DIR} + "/";

std::vector<std::string> yaml_files(const std::string& folder, bool deep)
{
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator{kHome + folder}) {
        const bool here = entry.path().parent_path() == kHome + folder;
        if (entry.path().extension() == ".yaml" && (deep || here)) {
            files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST(ShippedConfigs, ExperimentsLoad)
{
    const auto files = yaml_files("configs", false);
    EXPECT_GE(files.size(), 2U);
    for (const auto& file : files) {
        EXPECT_NO_THROW(static_cast<void>(load_experiment(file, {}))) << file;
    }
}

TEST(ShippedConfigs, SweepsLoad)
{
    for (const auto& file : yaml_files("configs/sweeps", false)) {
        EXPECT_TRUE(is_sweep(file)) << file;
        EXPECT_NO_THROW(static_cast<void>(load_sweep(file, {}))) << file;
    }
}

TEST(ShippedConfigs, EveryHardwareFileFitsTheMainJob)
{
    const auto load = [](const std::string& part, const std::string& file) {
        const auto main = kHome + "configs/llama3-70b-128-h100.yaml";
        EXPECT_NO_THROW(static_cast<void>(load_experiment(main, {{part, file}}))) << file;
    };
    const std::vector<std::pair<std::string, std::string>> parts{
        {"gpu", "cluster.gpu.extends"},
        {"nic", "cluster.nic.extends"},
        {"pcie", "cluster.pcie.extends"},
        {"nvlink", "cluster.nvlink.extends"},
        {"switch", "cluster.fabric.leaf.extends"},
        {"collective", "cluster.collective.extends"},
        {"framework", "workload.framework.extends"}};
    for (const auto& [folder, key] : parts) {
        for (const auto& file : yaml_files("configs/hardware/" + folder, false)) {
            load(key, file);
        }
    }
}

TEST(ShippedConfigs, EveryOffloadPolicyLoadsAndMovesSomething)
{
    const auto files = yaml_files("configs/hardware/offload", false);
    EXPECT_GE(files.size(), 7U);
    for (const auto& file : files) {
        spec::OffloadSpec offload;
        EXPECT_NO_THROW(offload = load_offload(file)) << file;
        EXPECT_FALSE(spec::moves_nothing(offload)) << file;
    }
}

TEST(ShippedConfigs, TheCostsLoad)
{
    EXPECT_GT(load_costs(kHome + "configs/hardware/costs.yaml").gpu.price, Money{});
}

TEST(ShippedConfigs, EveryTopologyLoads)
{
    for (const auto& file : yaml_files("topologies", false)) {
        EXPECT_NO_THROW(static_cast<void>(load_cluster(file, {}))) << file;
    }
}

TEST(ShippedConfigs, TheMainJobIsTheOneDescribed)
{
    const auto spec = load_experiment(kHome + "configs/llama3-70b-128-h100.yaml", {}).spec;
    EXPECT_EQ(spec.cluster.nodes * spec.cluster.node.gpus, 128);
    EXPECT_EQ(spec.workload.model.name, "llama3-70b");
    EXPECT_EQ(spec.workload.plan.tensor, 8);
    EXPECT_EQ(spec.workload.plan.data, 16);
    EXPECT_EQ(spec.workload.plan.zero, 1);
    // 128 sequences / (16 data-parallel ranks x 1).
    EXPECT_EQ(spec::micro_batches(spec.workload), 8);
    // A Gen5 x16 slot carries about 55 GB/s: 32 GT/s x 16 x 128/130 / 8 = 63.02 GB/s raw.
    const auto& pcie = spec.cluster.node.pcie;
    EXPECT_NEAR(spec::raw_bandwidth(pcie).base() * pcie.efficiency, 55e9, 0.1e9);
}

TEST(ShippedConfigs, TheMainSweepHasItsTwelvePoints)
{
    const auto sweep = load_sweep(kHome + "configs/sweeps/llama3-70b-400g-800g.yaml", {}).spec;
    ASSERT_EQ(sweep.axes.size(), 3U);
    EXPECT_EQ(sweep.axes[0].name, "nic");
    ASSERT_EQ(sweep.axes[0].values.size(), 3U);
    EXPECT_EQ(sweep.axes[0].values[2].label, "800G Gen6");
    ASSERT_EQ(sweep.axes[0].values[2].settings.size(), 2U);
    EXPECT_EQ(sweep.axes[0].values[2].settings[1].key, "cluster.pcie.generation");
    EXPECT_EQ(sweep.axes[0].values[2].settings[1].text, "6");
    EXPECT_EQ(sweep.axes[1].values.size(), 2U);
    EXPECT_EQ(sweep.axes[2].values[1].settings[0].text, "ecmp");
    EXPECT_EQ(sweep.seeds, 20);
}

TEST(ShippedConfigs, InternEvosSeriesKeepsFourMicroBatches)
{
    const auto loaded = load_sweep(kHome + "configs/sweeps/internevo-7b-scaling.yaml", {});
    for (const auto& value : loaded.spec.axes[0].values) {
        std::vector<Override> overrides;
        for (const auto& setting : value.settings) {
            overrides.push_back({setting.key, setting.text});
        }
        const auto spec = load_experiment(loaded.spec.bases[0].path, overrides).spec;
        EXPECT_EQ(std::to_string(spec.workload.plan.data), value.label);
        EXPECT_EQ(spec::micro_batches(spec.workload), 4);
        EXPECT_THAT(spec.cluster.node.nic_of_gpu, testing::ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
    }
}

}  // namespace
}  // namespace sim::config

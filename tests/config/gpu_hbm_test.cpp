#include <gmock/gmock.h>

#include "config/fixture.hpp"

namespace sim::config
{
namespace
{

using testing::HasSubstr;

/// A GPU whose HBM is given as devices: 3.35 TB/s over five stacks of 1024 pins are 5.234 Gb/s.
class GpuHbm : public InFolder
{
protected:
    GpuHbm() { write_good(); }

    static std::vector<Override> hbm(const std::string& more)
    {
        const std::string device =
            std::string{WEFTSIM_SOURCE_DIR} + "/configs/hardware/memory/hbm3.yaml";
        return {{"cluster.gpu.hbm",
                 "{ device: { extends: " + device + " }, pin_rate: 5.234 Gbps, " + more + " }"}};
    }
    static std::string complaint_with(const std::string& more)
    {
        try {
            (void)load_experiment("run.yaml", hbm(more));
        } catch (const InputError& error) {
            return render(error.diagnostics());
        }
        return "";
    }
};

TEST_F(GpuHbm, IsReadAtTheGpusPinRate)
{
    const auto loaded = load_experiment("run.yaml", hbm("stacks: 5, read_factor: 0.95"));
    const auto& gpu = loaded.spec.cluster.node.gpu;
    ASSERT_TRUE(gpu.hbm.has_value());
    EXPECT_EQ(gpu.hbm->stacks, 5);
    EXPECT_NEAR(gpu.hbm->device.timing.tCK / Time::of(0.625e-9), 6.4 / 5.234, 1e-9);
}

TEST_F(GpuHbm, MustGiveTheBandwidthOfTheSheet)
{
    EXPECT_THAT(complaint_with("stacks: 6, read_factor: 0.95"),
                HasSubstr("cluster.gpu.memory_bandwidth: is 3.35 TB/s, but 6 stacks give"));
}

TEST_F(GpuHbm, NeedsItsFactor)
{
    EXPECT_THAT(complaint_with("stacks: 5"), HasSubstr("cluster.gpu.hbm.read_factor"));
}

}  // namespace
}  // namespace sim::config

#include "replay/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "replay/recording_engine.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

std::size_t count(const Machine& machine, ResourceKind kind)
{
    return static_cast<std::size_t>(
        std::count_if(machine.resources().begin(), machine.resources().end(),
                      [&](const MachineResource& resource) { return resource.kind == kind; }));
}

TEST(Machine, HasSmsAndHbmOfEveryGpuAndEveryDirectionOfEveryLink)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(2, 4);
    const Machine machine{cluster, engine, 0};

    EXPECT_EQ(count(machine, ResourceKind::sm), 8U);
    EXPECT_EQ(count(machine, ResourceKind::hbm), 8U);
    EXPECT_EQ(count(machine, ResourceKind::nvlink), 16U);  // 8 GPUs, both ways
    EXPECT_EQ(count(machine, ResourceKind::nic), 16U);     // 8 NICs, both ways
    EXPECT_EQ(count(machine, ResourceKind::pcie), 32U);    // 8 GPUs and 8 NICs, both ways
    EXPECT_EQ(count(machine, ResourceKind::leaf_spine), 0U);
    EXPECT_EQ(engine.resources.size(), machine.resources().size());
}

TEST(Machine, NamesResourcesByTheirPlace)
{
    RecordingEngine engine;
    const auto cluster = ideal_cluster(2, 4);
    const Machine machine{cluster, engine, 0};
    const auto& sm = engine.resources[machine.sm(GpuId{6}).index()];
    EXPECT_EQ(sm.name, "node1/gpu2/sm");
    EXPECT_EQ(sm.capacity, 100);
    const auto& hbm = engine.resources[machine.hbm(GpuId{0}).index()];
    EXPECT_EQ(hbm.name, "node0/gpu0/hbm");
    EXPECT_EQ(hbm.capacity, 2e12);
}

TEST(Machine, TakesALinksPayloadBandwidthAsCapacity)
{
    RecordingEngine engine;
    auto cluster = ideal_cluster(2, 4);
    cluster.node.nic.efficiency = 0.9;
    const Machine machine{cluster, engine, 0};
    const auto& links = machine.fabric().graph.links();
    for (std::size_t link = 0; link < links.size(); ++link) {
        if (links[link].kind == fabric::LinkKind::nic) {
            EXPECT_DOUBLE_EQ(engine.resources[machine.link(LinkId{link}).index()].capacity, 45e9);
        }
    }
}

}  // namespace
}  // namespace sim::replay::test

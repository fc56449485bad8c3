#include "replay/copy_lowering.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "memory/access_class.hpp"
#include "replay/copy_cluster.hpp"

namespace sim::replay
{
namespace
{

using namespace literals;
using spec::DataTier;

workload::Copy copy(DataTier from, DataTier to, bool through_dram = false)
{
    return {.from = from, .to = to, .size = 1_GB, .through_dram = through_dram};
}

/// What a byte takes of each resource, by name.
std::map<std::string, double> taken(const Machine& machine, const LoweredCopy& copy)
{
    std::map<std::string, double> names;
    for (const auto& use : copy.uses) {
        names[machine.name(use.resource)] += use.consumption;
    }
    return names;
}

TEST(CopyLowering, ACopyToHostMemoryCrossesTheSlotsOfItsWayAndBothMemories)
{
    const auto cluster = test::tiered_cluster(1, 2, 1, 0);
    const Machine machine{cluster, 0};
    const auto lowered = CopyLowering{machine}.lower(GpuId{1}, copy(DataTier::hbm, DataTier::dram));
    const auto names = taken(machine, lowered);
    EXPECT_EQ(names.size(), 4U);
    EXPECT_DOUBLE_EQ(names.at("node0/gpu1/hbm"), 1);
    EXPECT_DOUBLE_EQ(names.at("node0/gpu1->node0/pcie0"), 1);
    EXPECT_DOUBLE_EQ(names.at("node0/pcie0->node0/cpu0"), 1);
    EXPECT_DOUBLE_EQ(names.at("node0/cpu0/dram"), machine.tiers().dram_shares().write);
    EXPECT_EQ(lowered.binding, ResourceKind::pcie);
}

TEST(CopyLowering, HostMemoryTakesWhatItsClassTableSays)
{
    const auto cluster = test::tiered_cluster(1, 1, 1, 0);
    const Machine machine{cluster, 0};
    const auto table = memory::derive_classes(cluster.node.host.dram->module, 1);
    const auto& shares = machine.tiers().dram_shares();
    EXPECT_DOUBLE_EQ(shares.read, 1 / table.of(memory::AccessClass::stream_read));
    EXPECT_DOUBLE_EQ(shares.write, 1 / table.of(memory::AccessClass::stream_write));
}

TEST(CopyLowering, AStripeTakesAnEqualPartOfEveryDrive)
{
    const auto cluster = test::tiered_cluster(1, 1, 1, 4);
    const Machine machine{cluster, 0};
    const CopyLowering lowering{machine};
    const auto in =
        taken(machine, lowering.lower(GpuId{0}, copy(DataTier::storage, DataTier::hbm)));
    EXPECT_DOUBLE_EQ(in.at("node0/drive3/flash"), 0.25);
    EXPECT_DOUBLE_EQ(in.at("node0/drive3->node0/cpu0"), 0.25);
    EXPECT_EQ(in.count("node0/cpu0/dram"), 0U);  // GPUDirect
    const auto out =
        taken(machine, lowering.lower(GpuId{0}, copy(DataTier::hbm, DataTier::storage)));
    EXPECT_NEAR(out.at("node0/drive3/flash"), 0.25 * test::kFlashRead / test::kFlashWrite, 1e-9);
    EXPECT_DOUBLE_EQ(out.at("node0/cpu0->node0/drive3"), 0.25);
}

TEST(CopyLowering, ABounceBufferIsWrittenAndReadInHostMemory)
{
    const auto cluster = test::tiered_cluster(1, 1, 1, 1);
    const Machine machine{cluster, 0};
    const auto bounced =
        taken(machine,
              CopyLowering{machine}.lower(GpuId{0}, copy(DataTier::storage, DataTier::hbm, true)));
    const auto table = memory::derive_classes(cluster.node.host.dram->module, 1);
    EXPECT_DOUBLE_EQ(bounced.at("node0/cpu0/dram"), 2 / table.of(memory::AccessClass::copy));
    EXPECT_DOUBLE_EQ(bounced.at("node0/pcie0->node0/gpu0"), 1);
}

TEST(CopyLowering, InterleavedPagesLieOnEverySocketThatIsReached)
{
    auto cluster = test::tiered_cluster(1, 2, 2, 0);
    auto& host = cluster.node.host;
    host.sockets = 2;
    host.socket_of_gpu = {0, 1};
    host.socket_of_nic = {0, 1};
    host.socket_link = spec::HostLinkSpec{50_GBps, 100_ns};
    host.dram->pages = spec::Pages::interleaved;
    const Machine machine{cluster, 0};
    const auto lowered = CopyLowering{machine}.lower(GpuId{1}, copy(DataTier::hbm, DataTier::dram));
    const auto names = taken(machine, lowered);
    EXPECT_DOUBLE_EQ(names.at("node0/cpu1->node0/cpu0"), 0.5);
    EXPECT_DOUBLE_EQ(names.at("node0/cpu0/dram"), names.at("node0/cpu1/dram"));
    EXPECT_EQ(lowered.latency, 100_ns);  // the longest of its ways
}

TEST(CopyLowering, APoolIsOneMemoryBehindALinkOfEachNode)
{
    auto cluster = test::tiered_cluster(4, 1, 1, 0);
    cluster.node.host.pool = spec::PoolSpec{
        .link = {25_GBps, 300_ns}, .bandwidth = 100_GBps, .capacity = 4_TB, .nodes = 2};
    const Machine machine{cluster, 0};
    const CopyLowering lowering{machine};
    const auto names =
        taken(machine, lowering.lower(GpuId{3}, copy(DataTier::pool, DataTier::dram)));
    EXPECT_EQ(names.size(), 3U);
    EXPECT_DOUBLE_EQ(names.at("pool1/memory"), 1);  // nodes 2 and 3
    EXPECT_DOUBLE_EQ(names.at("pool1->node3/cpu0"), 1);
    EXPECT_EQ(machine.tiers().pools()[2].memory, machine.tiers().pools()[3].memory);
    EXPECT_EQ(lowering.lower(GpuId{3}, copy(DataTier::pool, DataTier::dram)).latency, 300_ns);
}

TEST(CopyLowering, ADriveUnderAPcieSwitchSharesWhatIsAboveItAlone)
{
    // Two NICs, each under a switch with two of four GPUs; the drive is beside the second.
    auto cluster = test::tiered_cluster(1, 4, 2, 1);
    cluster.node.host.storage->nic_of_drive = {1};
    const Machine machine{cluster, 0};
    const CopyLowering lowering{machine};
    const auto near =
        taken(machine, lowering.lower(GpuId{3}, copy(DataTier::storage, DataTier::hbm)));
    EXPECT_DOUBLE_EQ(near.at("node0/drive0->node0/pcie1"), 1);
    EXPECT_DOUBLE_EQ(near.at("node0/pcie1->node0/gpu3"), 1);
    EXPECT_EQ(near.count("node0/pcie1->node0/cpu0"), 0U);
    const auto far =
        taken(machine, lowering.lower(GpuId{0}, copy(DataTier::storage, DataTier::hbm)));
    EXPECT_DOUBLE_EQ(far.at("node0/pcie1->node0/cpu0"), 1);
    EXPECT_DOUBLE_EQ(far.at("node0/cpu0->node0/pcie0"), 1);
    const auto host =
        taken(machine, lowering.lower(GpuId{3}, copy(DataTier::dram, DataTier::storage)));
    EXPECT_DOUBLE_EQ(host.at("node0/cpu0->node0/pcie1"), 1);
    EXPECT_DOUBLE_EQ(host.at("node0/pcie1->node0/drive0"), 1);
}

TEST(CopyLowering, AFewRequestsLeaveSomeDrivesOfAStripeIdle)
{
    // Of four drives and eight requests, balanced: 4 x 8 / (8 + 3) drives work in the mean.
    auto cluster = test::tiered_cluster(1, 1, 1, 4);
    cluster.node.host.storage->queue_depth = 8;
    const Machine machine{cluster, 0};
    const CopyLowering lowering{machine};
    const auto in = lowering.lower(GpuId{0}, copy(DataTier::storage, DataTier::hbm));
    EXPECT_NEAR(in.rate_cap, 4 * test::kFlashRead * 8 / 11, 1);
    EXPECT_NEAR((in.alone - in.latency).base(), in.amount / in.rate_cap, 1e-9);
    EXPECT_EQ(in.binding, ResourceKind::drive);
    // What is written lies in the drives' own buffers.
    const auto out = lowering.lower(GpuId{0}, copy(DataTier::hbm, DataTier::storage));
    EXPECT_EQ(out.rate_cap, engine::kUnlimited);
}

TEST(CopyLowering, AFileSystemIsBehindTheNic)
{
    auto cluster = test::tiered_cluster(2, 1, 1, 0);
    cluster.node.host.files = spec::FileSystemSpec{
        .read = 100_GBps, .write = 50_GBps, .latency = 500_us, .capacity = 1000_TB};
    const Machine machine{cluster, 0};
    const CopyLowering lowering{machine};
    const auto lowered = lowering.lower(GpuId{1}, copy(DataTier::hbm, DataTier::files));
    const auto out = taken(machine, lowered);
    EXPECT_DOUBLE_EQ(out.at("files/write"), 1);
    EXPECT_DOUBLE_EQ(out.at("node1/gpu0->node1/pcie0"), 1);
    EXPECT_DOUBLE_EQ(out.at("node1/pcie0->node1/nic0"), 1);
    EXPECT_EQ(out.count("files/read"), 0U);
    EXPECT_GE(lowered.latency, 500_us);
    const auto in = taken(machine, lowering.lower(GpuId{1}, copy(DataTier::files, DataTier::dram)));
    EXPECT_DOUBLE_EQ(in.at("files/read"), 1);
    EXPECT_DOUBLE_EQ(in.at("node1/pcie0->node1/cpu0"), 1);
    const auto port = std::find_if(in.begin(), in.end(), [](const auto& use) {
        return use.first.size() > 12 && use.first.substr(use.first.size() - 12) == "->node1/nic0";
    });
    EXPECT_NE(port, in.end());  // of the network, into the node
}

TEST(CopyLowering, ATierThatTheClusterLacksIsNamed)
{
    const auto cluster = test::tiered_cluster(1, 1, 1, 0);
    const Machine machine{cluster, 0};
    try {
        (void)CopyLowering{machine}.lower(GpuId{0}, copy(DataTier::storage, DataTier::hbm));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().front().key, "cluster.host.storage");
        EXPECT_EQ(error.diagnostics().front().message, "missing: a copy uses the storage");
    }
}

TEST(CopyLowering, DrivesOnAnotherBoardAreNotReached)
{
    auto cluster = test::tiered_cluster(1, 2, 2, 2);
    auto& host = cluster.node.host;
    host.sockets = 2;  // no link between them
    host.socket_of_gpu = {0, 1};
    host.socket_of_nic = {0, 1};
    host.storage->socket_of_drive = {0, 0};
    const Machine machine{cluster, 0};
    const CopyLowering lowering{machine};
    EXPECT_NO_THROW((void)lowering.lower(GpuId{0}, copy(DataTier::storage, DataTier::hbm)));
    EXPECT_THROW((void)lowering.lower(GpuId{1}, copy(DataTier::storage, DataTier::hbm)),
                 InputError);
}

}  // namespace
}  // namespace sim::replay

#include <gtest/gtest.h>

#include "core/literals.hpp"
#include "replay/copy_cluster.hpp"
#include "replay/graph_writer.hpp"
#include "replay/simulate.hpp"

namespace sim::replay
{
namespace
{

using namespace literals;
using spec::DataTier;
using test::on;
using test::ProgramWriter;
using workload::Purpose;

workload::Copy copy(DataTier from, DataTier to, double bytes)
{
    return {.from = from,
            .to = to,
            .size = Bytes::of(static_cast<std::int64_t>(bytes)),
            .purpose = workload::purpose_of(from, to)};
}

/// Every rank does these copies, each on a stream of its own.
workload::TaskGraph all_copy(std::size_t ranks, const std::vector<workload::Copy>& copies)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"a", "b"}};
    for (std::uint32_t stream = 0; stream < copies.size(); ++stream) {
        writer.copy(stream, copies[stream], "copy");
    }
    test::add_ranks(graph, std::vector<ProgramId>(ranks, writer.done()), 0);
    return graph;
}

Result simulate_once(const spec::ClusterSpec& cluster, const workload::TaskGraph& graph,
                     engine::Kind engine = engine::Kind::native, Fold fold = Fold::off)
{
    return run(Job{.cluster = cluster, .graph = graph, .steps = 1}, {engine, fold, true});
}

double seconds(const Result& result, Entry entry)
{
    return result.classes.front().ledger[static_cast<std::size_t>(entry)].base();
}

double utilisation(const Result& result, const std::string& kind)
{
    for (const auto& resource : result.resources) {
        if (resource.name == kind) {
            return resource.peak_utilisation;
        }
    }
    return 0;
}

TEST(Copies, FourGpusBehindOneSwitchShareItsUplink)
{
    const auto cluster = test::tiered_cluster(1, 4, 1, 0);
    const auto graph = all_copy(4, {copy(DataTier::hbm, DataTier::dram, test::kSlot / 4)});
    for (const auto engine : {engine::Kind::native, engine::Kind::simgrid}) {
        const auto result = simulate_once(cluster, graph, engine);
        EXPECT_NEAR(result.step.base(), 1, 1e-6);  // alone a quarter of that
        EXPECT_NEAR(utilisation(result, "pcie"), 1, 1e-6);
        EXPECT_EQ(result.binding, "pcie");
    }
}

TEST(Copies, ACopyTakesTheSlotFromTheGpusNetworkTraffic)
{
    // Both leave GPU 0 by its slot of 63 GB/s; the NIC of 50 GB/s would let the message pass.
    const auto cluster = test::tiered_cluster(2, 1, 1, 0);
    workload::TaskGraph graph;
    ProgramWriter sender{graph, {"network", "offload"}};
    sender.collective(0,
                      {.kind = workload::CollectiveKind::send_recv,
                       .size = Bytes::of(static_cast<std::int64_t>(test::kSlot / 2))},
                      "send");
    sender.copy(1, copy(DataTier::hbm, DataTier::dram, test::kSlot / 2), "copy");
    const auto first = sender.done();
    ProgramWriter receiver{graph, {"network"}};
    receiver.collective(0,
                        {.kind = workload::CollectiveKind::send_recv,
                         .size = Bytes::of(static_cast<std::int64_t>(test::kSlot / 2))},
                        "receive");
    test::add_ranks(graph, {first, receiver.done()}, 1);
    test::add_communicator(graph, Purpose::pipeline, {0, 1}, {0});
    const auto result = simulate_once(cluster, graph);
    EXPECT_NEAR(result.step.base(), 1, 1e-6);
}

TEST(Copies, ARootComplexThatAllTrafficGoesThroughIsSharedWithAnotherGpusNic)
{
    // Access control sends GPU 1's message to the socket and back: over the uplink that GPU 0's
    // copy takes too. Each gets half of it.
    auto cluster = test::tiered_cluster(2, 2, 1, 0);
    cluster.node.nic.bandwidth = 100_GBps;
    const auto half = Bytes::of(static_cast<std::int64_t>(test::kSlot / 2));
    const auto with = [&](bool through_root) {
        auto own = cluster;
        own.node.host.peer_through_root = through_root;
        workload::TaskGraph graph;
        const workload::Collective message{.kind = workload::CollectiveKind::send_recv,
                                           .size = half};
        ProgramWriter copies{graph, {"offload"}};
        copies.copy(0, copy(DataTier::hbm, DataTier::dram, test::kSlot / 2), "copy");
        const auto copier = copies.done();
        ProgramWriter sends{graph, {"network"}};
        sends.collective(0, message, "send");
        const auto talker = sends.done();
        ProgramWriter none{graph, {"network"}};
        const auto idle = none.done();
        test::add_ranks(graph, {copier, talker, talker, idle}, 1);
        test::add_communicator(graph, Purpose::pipeline, {1, 2}, {0});
        return simulate_once(own, graph).step.base();
    };
    EXPECT_NEAR(with(false), 0.5, 1e-6);
    EXPECT_NEAR(with(true), 1, 1e-6);
}

TEST(Copies, AStripeIsAsFastAsItsDrivesTogetherUntilTheSlotBinds)
{
    const auto time = [](int drives) {
        const auto cluster = test::tiered_cluster(1, 1, 1, drives);
        const auto bytes = 4 * test::kFlashRead;
        return simulate_once(cluster, all_copy(1, {copy(DataTier::storage, DataTier::hbm, bytes)}))
            .step.base();
    };
    const double latency = 60e-6;  // controller and cells
    EXPECT_NEAR(time(1), 4 + latency, 1e-6);
    EXPECT_NEAR(time(4), 1 + latency, 1e-6);
    EXPECT_NEAR(time(32), 4 * test::kFlashRead / test::kSlot + latency, 1e-6);
}

TEST(Copies, WhatGoesToTheFileSystemSharesTheNodesNic)
{
    // Four GPUs behind one NIC of 50 GB/s write 12.5 GB each: a second, as long as the servers of
    // 60 GB/s let them; two nodes wait for the servers, 100 GB at 60 GB/s.
    const auto with = [](int nodes) {
        auto cluster = test::tiered_cluster(nodes, 4, 1, 0);
        cluster.node.host.files = spec::FileSystemSpec{
            .read = 100_GBps, .write = 60_GBps, .latency = {}, .capacity = 1000_TB};
        const auto ranks = static_cast<std::size_t>(4 * nodes);
        return simulate_once(cluster,
                             all_copy(ranks, {copy(DataTier::hbm, DataTier::files, 12.5e9)}));
    };
    EXPECT_NEAR(with(1).step.base(), 1, 1e-6);
    EXPECT_NEAR(utilisation(with(1), "nic"), 1, 1e-6);
    EXPECT_NEAR(with(2).step.base(), 100.0 / 60, 1e-6);
    EXPECT_NEAR(utilisation(with(2), "drive"), 1, 1e-6);
}

TEST(Copies, FewRequestsSlowAStripeThatOneCopyReadsNotOneThatManyRead)
{
    // Of four drives, eight requests: one copy has 32/11 drives' worth, four of them the drives.
    auto cluster = test::tiered_cluster(1, 4, 4, 4);
    cluster.node.host.storage->queue_depth = 8;
    const double all = 4 * test::kFlashRead;
    const auto time = [&](std::size_t ranks) {
        const auto graph = all_copy(ranks, {copy(DataTier::storage, DataTier::dram, all)});
        return simulate_once(cluster, graph).step.base();
    };
    EXPECT_NEAR(time(1), 4 / (32.0 / 11), 1e-3);
    EXPECT_NEAR(time(4), 4, 1e-3);
}

TEST(Copies, WhatADriveReadsAndWritesComesOfTheSameDies)
{
    // Half of the flash's time each: alone they would take half as long. The kernel is the end of a
    // step, before which no copy of the next one begins.
    const auto cluster = test::tiered_cluster(1, 1, 1, 1);
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "read", "write"}};
    const auto after = test::on_last_step({0, 0});
    const auto read = writer.copy(1, copy(DataTier::storage, DataTier::hbm, test::kFlashRead / 2),
                                  "read", {after});
    const auto write = writer.copy(2, copy(DataTier::hbm, DataTier::storage, test::kFlashWrite / 2),
                                   "write", {after});
    writer.recorded(0, "end", 1e-9, {on(read), on(write)});
    test::add_ranks(graph, {writer.done()}, 0);
    const auto result = simulate_once(cluster, graph);
    EXPECT_NEAR(result.step.base(), 1, 1e-4);
    EXPECT_NEAR(utilisation(result, "drive"), 1, 1e-4);
}

TEST(Copies, AStepThatWaitsForHostMemoryIsChargedToIt)
{
    const auto cluster = test::tiered_cluster(1, 1, 1, 0);
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute", "offload"}};
    const auto fetched = writer.copy(1, copy(DataTier::dram, DataTier::hbm, test::kSlot), "fetch");
    writer.recorded(0, "independent", 0.125);
    writer.recorded(0, "needs it", 0.5, {on(fetched)});
    test::add_ranks(graph, {writer.done()}, 0);
    const auto result = simulate_once(cluster, graph);
    EXPECT_NEAR(result.step.base(), 1.5, 1e-6);
    EXPECT_NEAR(seconds(result, Entry::offload_dram), 0.875, 1e-6);
    EXPECT_EQ(result.binding, "pcie");  // 0.875 s beside 0.625 s of math
    const auto& totals = result.classes.front().communication;
    ASSERT_EQ(totals.size(), 1U);
    EXPECT_EQ(totals[0].purpose, "dram");
    // Under the independent kernel, and the next step's copy under the one that needed this one.
    EXPECT_NEAR(totals[0].hidden.base(), 0.125 + 0.5, 1e-6);
    EXPECT_NEAR(totals[0].bytes_sent, test::kSlot, 1);
}

TEST(Copies, FoldedRanksCopyAsAllOfThemDo)
{
    const auto cluster = test::tiered_cluster(2, 8, 4, 2);
    const auto graph = all_copy(16, {copy(DataTier::hbm, DataTier::dram, 8e9),
                                     copy(DataTier::storage, DataTier::hbm, 1e9)});
    const auto folded = simulate_once(cluster, graph, engine::Kind::native, Fold::automatic);
    const auto whole = simulate_once(cluster, graph);
    EXPECT_EQ(folded.instances, 1U);
    EXPECT_EQ(whole.instances, 16U);
    EXPECT_NEAR(folded.step / whole.step, 1, 1e-9);
    EXPECT_NEAR(seconds(folded, Entry::offload_storage), seconds(whole, Entry::offload_storage),
                1e-9);
}

TEST(Copies, AGpuFartherFromTheDrivesIsAClassOfItsOwn)
{
    auto cluster = test::tiered_cluster(1, 2, 2, 2);
    auto& host = cluster.node.host;
    host.sockets = 2;
    host.socket_of_gpu = {0, 1};
    host.socket_of_nic = {0, 1};
    host.socket_link = spec::HostLinkSpec{1_GBps, 0_s};
    host.storage->socket_of_drive = {0, 0};
    const auto graph = all_copy(2, {copy(DataTier::storage, DataTier::hbm, 1e9)});
    const auto folded = simulate_once(cluster, graph, engine::Kind::native, Fold::automatic);
    EXPECT_EQ(folded.instances, 2U);
    EXPECT_NEAR(folded.step.base(), 1, 1e-3);  // over the link between the sockets
}

/// DeepSpeed issues 998, 1130 and 2034: 12 B a parameter each way for 10 B parameters, one drive.
TEST(UserCase, U36DriveSlotAndStallAreToldApart)
{
    auto cluster = test::tiered_cluster(1, 1, 1, 1);
    auto& drive = cluster.node.host.storage->drive;
    drive.flash.bus = Bandwidth::of(0.75e9);                // reads at 3 GB/s
    drive.flash.tPROG = Time::of(32 * 32768 / 3e9 - 5e-6);  // and writes as fast
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"optimiser"}};
    writer.copy(0, copy(DataTier::storage, DataTier::hbm, 120e9), "read state");
    writer.copy(0, copy(DataTier::hbm, DataTier::storage, 120e9), "write state");
    test::add_ranks(graph, {writer.done()}, 0);
    const auto result = simulate_once(cluster, graph);
    EXPECT_NEAR(result.step.base(), 80, 0.01);  // 40 s in, 40 s out
    EXPECT_NEAR(seconds(result, Entry::offload_storage), 80, 0.01);
    EXPECT_NEAR(utilisation(result, "drive"), 1, 1e-3);
    // 120 GB of each direction in 80 s: the drive's slot of 8 GB/s, then the GPU's of 63 GB/s.
    EXPECT_NEAR(utilisation(result, "pcie"), 120 / 8.0 / 80, 1e-3);
    EXPECT_EQ(result.binding, "drive");
}

}  // namespace
}  // namespace sim::replay

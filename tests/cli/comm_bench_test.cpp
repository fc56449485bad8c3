#include "cli/comm_bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/comm_groups.hpp"
#include "cli/comm_size.hpp"
#include "cli/validate_rows.hpp"
#include "config/load.hpp"
#include "core/diagnostics.hpp"
#include "core/literals.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;
using collective::Algorithm;
using collective::Kind;

const std::string kHome = WEFTSIM_SOURCE_DIR "/";

spec::ClusterSpec cluster(const std::string& file, const std::vector<config::Override>& set = {})
{
    return config::load_cluster(kHome + file, set);
}

double busbw(const spec::ClusterSpec& machine, std::size_t ranks, Bytes size,
             Algorithm algorithm = Algorithm::automatic)
{
    CommBench bench{machine};
    const auto members = bench.first(ranks);
    return bench
        .measure(
            {.kind = Kind::all_reduce, .size = size, .members = members, .algorithm = algorithm})
        .busbw;
}

TEST(CommSize, ReadsWhatNcclTestsReads)
{
    EXPECT_EQ(parse_comm_size("8", "-b"), 8_B);
    EXPECT_EQ(parse_comm_size("16G", "-e"), 16_GiB);
    EXPECT_EQ(parse_comm_size("16GB", "-e"), 16_GiB);
    EXPECT_EQ(parse_comm_size("512k", "-e"), 512_KiB);
    EXPECT_EQ(parse_comm_size("64MiB", "-e"), 64_MiB);
    for (const auto* wrong : {"", "G", "-1", "16X", "1GBB"}) {
        EXPECT_THROW(static_cast<void>(parse_comm_size(wrong, "-b")), InputError) << wrong;
    }
}

TEST(CommBench, InSwitchReductionLiftsBusBandwidthOverALinkAsMeasuredOnEightH200)
{
    // U06: 16 GiB on 8 GPUs: ring 367, NVLS 480 GB/s; NVLink gives 450 a direction.
    const auto machine = cluster("configs/validation/clusters/hgx-h100.yaml");
    EXPECT_NEAR(busbw(machine, 8, 16_GiB, Algorithm::ring), 367e9, 0.03 * 367e9);
    EXPECT_NEAR(busbw(machine, 8, 16_GiB), 480e9, 0.03 * 480e9);
    // By number of GPUs at 8 GiB: 363 (ring), 414, 436, 460, 473.
    const double measured[] = {363e9, 414e9, 436e9, 460e9, 473e9};
    for (std::size_t ranks = 4; ranks <= 8; ++ranks) {
        const double value = measured[ranks - 4];
        EXPECT_NEAR(busbw(machine, ranks, 8_GiB), value, 0.04 * value) << ranks;
    }
}

TEST(CommBench, BeyondTwoNodesTheNicsBindWhateverTheSwitchReduces)
{
    // U08: 430 GB/s on one or two nodes, 320 to 330 on more, with 8 x 400 Gb/s.
    const std::string file = "configs/validation/clusters/hgx-h100.yaml";
    EXPECT_GT(busbw(cluster(file, {{"nodes", "2"}}), 16, 8_GiB), 420e9);
    const double four = busbw(cluster(file, {{"nodes", "4"}}), 32, 8_GiB);
    EXPECT_NEAR(four, 325e9, 0.15 * 325e9);
}

TEST(CommBench, MoreNicsHelpAGpuOnlyAsFarAsItsSlot)
{
    // U03: one H100 a node reaches its own NIC alone, 50 GB/s at most.
    CommBench bench{cluster("configs/validation/clusters/hgx-h100.yaml", {{"nodes", "2"}})};
    const auto members = bench.spread(2, 2);
    ASSERT_EQ(members.size(), 2U);
    const auto result = bench.measure(
        {.kind = Kind::all_reduce, .size = 8_GiB, .members = members, .algorithm = {}});
    EXPECT_LT(result.busbw, 50e9);
    EXPECT_GT(result.busbw, 44e9);
}

TEST(CommBench, ExpertTrafficOfTwoNodesIsBoundByNicsForHalfOfItsBytes)
{
    // U31: 16 GPUs on two nodes: half of a member's bytes stay on NVLink, so an algorithmic rate of
    // 43 GB/s is 21.5 GB/s on the wire; the NIC's 47 GB/s would allow 94.
    CommBench bench{cluster("configs/validation/clusters/hgx-h100.yaml", {{"nodes", "2"}})};
    const auto members = bench.first(16);
    const auto result = bench.measure(
        {.kind = Kind::all_to_all, .size = 1_GiB, .members = members, .algorithm = {}});
    EXPECT_EQ(result.binding, "nic");
    EXPECT_NEAR(result.link_bytes, 0.5 * 1024 * 1024 * 1024, 1);
    EXPECT_NEAR(result.algbw, 94e9, 0.02 * 94e9);
}

TEST(CommBench, TheEngineAloneAgreesWithTheLowerBound)
{
    for (const auto* file : {"hgx-a100", "hgx-h100", "hgx-b200", "h100-quad"}) {
        const auto path = std::string{"configs/validation/clusters/"} + file + ".yaml";
        CommBench bench{cluster(path, {{"nodes", "3"}})};
        const auto members = bench.first(bench.gpus());
        for (const auto size : {64_B, 1_MiB, 1_GiB}) {
            const auto result = bench.measure({.kind = Kind::all_reduce,
                                               .size = size,
                                               .members = members,
                                               .algorithm = Algorithm::automatic});
            EXPECT_NEAR(result.time / result.lower_bound, 1, 1e-6) << file;
        }
    }
}

TEST(CommBench, UnevenPartsShareTheirReceiversAlikeOnBothEngines)
{
    // 0 sends 300 MB to 1 and 100 MB to 2, the others 10 MB to each. Into 1 come 3/4 of 0's flow
    // and half of 2's: both go at 0.8 of a link's rate B until 2's 20 MB are through, which takes
    // 25 MB / B; the other 380 MB of 0 go at B. 5 MB / B more than one transfer of 400 MB.
    const auto machine = cluster("topologies/hgx-h100-single-node.yaml");
    const std::vector<double> parts{0, 300e6, 100e6, 10e6, 0, 10e6, 10e6, 10e6, 0};
    for (const auto engine : {engine::Kind::native, engine::Kind::simgrid}) {
        CommBench bench{machine, 0, engine};
        const auto three = bench.first(3);
        const auto two = bench.first(2);
        collective::Request uneven{.kind = Kind::all_to_all, .size = 400_MB, .members = three};
        uneven.parts = parts;
        const auto one = [&](Bytes size) {
            return bench.measure({.kind = Kind::send_recv, .size = size, .members = two}).time;
        };
        const auto five = (one(805_MB) - one(800_MB)).base();
        EXPECT_NEAR((bench.measure(uneven).time - one(400_MB)).base(), five, 1e-4 * five);
    }
}

TEST(CommBench, OneProcessForEightGpusSetsAFloor)
{
    auto machine = cluster("configs/validation/clusters/hgx-a100.yaml",
                           {{"collective.tuning.gpus_per_process", "8"}});
    CommBench bench{machine};
    const auto members = bench.first(8);
    const auto result =
        bench.measure({.kind = Kind::all_reduce, .size = 8_B, .members = members, .algorithm = {}});
    EXPECT_NEAR(result.time / machine.collective.tuning->host_launch, 8, 1e-9);
    EXPECT_EQ(result.binding, "host");
}

TEST(CommBench, TwoGroupsOnTheSameNicsTakeTwiceAsLong)
{
    // Four nodes, two GPUs a NIC; the even and the odd GPUs of the nodes each make an all-reduce.
    const auto machine = cluster("configs/validation/clusters/hgx-a100.yaml",
                                 {{"nodes", "4"}, {"nic.per_node", "4"}});
    CommBench bench{machine};
    std::vector<GpuId> groups[2];
    for (std::size_t gpu = 0; gpu < bench.gpus(); ++gpu) {
        groups[gpu % 2].emplace_back(gpu);
    }
    std::vector<collective::Request> both;
    for (std::uint64_t group = 0; group < 2; ++group) {
        both.push_back({.kind = Kind::all_reduce,
                        .size = 1_GiB,
                        .members = groups[group],
                        .algorithm = Algorithm::ring,
                        .label = group});
    }
    for (const auto& result : bench.measure(both)) {
        EXPECT_NEAR(result.time / result.alone, 2, 0.02);
    }
}

TEST(CommBench, GroupsInsideTheirNodesDoNotMeet)
{
    CommBench bench{cluster("configs/validation/clusters/hgx-a100.yaml", {{"nodes", "2"}})};
    const auto groups = split(bench.first(16), 2, false);
    std::vector<collective::Request> both;
    for (const auto& group : groups) {
        both.push_back({.kind = Kind::all_reduce, .size = 1_GiB, .members = group});
    }
    for (const auto& result : bench.measure(both)) {
        EXPECT_DOUBLE_EQ(result.time.base(), result.alone.base());
    }
}

TEST(CommBench, EveryTierSaysItsBusiestLink)
{
    // U01: one NIC of 25 GB/s x 0.94 a node; busy all the time but for the latency.
    CommBench bench{cluster("configs/validation/clusters/hgx-a100.yaml",
                            {{"nodes", "2"}, {"nic.per_node", "1"}})};
    const auto members = bench.first(16);
    const auto result = bench.measure({.kind = Kind::all_reduce,
                                       .size = 8_GiB,
                                       .members = members,
                                       .algorithm = Algorithm::ring});
    EXPECT_EQ(result.binding, "nic");
    EXPECT_NEAR(result.busbw, 23.5e9, 0.01 * 23.5e9);
    const auto nic = std::find_if(result.tiers.begin(), result.tiers.end(),
                                  [](const BusiestLink& link) { return link.kind == "nic"; });
    ASSERT_NE(nic, result.tiers.end());
    EXPECT_GT(nic->share, 0.99);
}

TEST(Groups, AreNeighboursOrStrided)
{
    std::vector<GpuId> members;
    for (std::size_t i = 0; i < 8; ++i) {
        members.emplace_back(i);
    }
    const auto near = split(members, 4, false);
    EXPECT_EQ(near[1], (std::vector<GpuId>{GpuId{2}, GpuId{3}}));
    const auto strided = split(members, 4, true);
    EXPECT_EQ(strided[1], (std::vector<GpuId>{GpuId{1}, GpuId{5}}));
    EXPECT_THROW(static_cast<void>(split(members, 3, false)), InputError);
}

TEST(Groups, ReadsRanksAsCountsRangesAndStrides)
{
    EXPECT_EQ(parse_ranks("", 4).size(), 4U);
    EXPECT_EQ(parse_ranks("0-1,3", 4), (std::vector<RankId>{RankId{0}, RankId{1}, RankId{3}}));
    EXPECT_EQ(parse_ranks("0-7:4", 8), (std::vector<RankId>{RankId{0}, RankId{4}}));
    for (const auto* wrong : {"9", "0", "0-9", "3-1", "1,1", "a", "0-7:0", "-1", "1-", ","}) {
        EXPECT_THROW(static_cast<void>(parse_ranks(wrong, 8)), InputError) << wrong;
    }
}

TEST(CommBench, OneRankOrNoBytesTakeNoTime)
{
    CommBench bench{cluster("configs/validation/clusters/hgx-h100.yaml")};
    const auto one = bench.first(1);
    const auto two = bench.first(2);
    EXPECT_EQ(bench.measure({.kind = Kind::all_reduce, .size = 1_GiB, .members = one}).time,
              Time{});
    EXPECT_EQ(bench.measure({.kind = Kind::all_reduce, .size = 0_B, .members = two}).time, Time{});
}

TEST(Matching, AStarStandsForAnything)
{
    EXPECT_TRUE(matches("8xH200 node*", "8xH200 node, 5 GPUs"));
    EXPECT_TRUE(matches("*", ""));
    EXPECT_TRUE(matches("AAC1* *x8 MI3*", "AAC11 2x8 MI325X"));
    EXPECT_FALSE(matches("DGX H100", "DGX H100 x2"));
}

}  // namespace
}  // namespace sim::cli

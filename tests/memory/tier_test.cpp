#include <gtest/gtest.h>

#include <map>

#include "core/literals.hpp"
#include "memory/tier_ledger.hpp"
#include "memory/tier_path.hpp"

namespace sim::memory
{
namespace
{

using namespace literals;
using End = TierEnd;

TierLedger ledger()
{
    return TierLedger{{{"HBM", 80_GiB}, {"host DRAM", 780_GiB}, {"SSD", 30_TiB}}};
}

TEST(TierLedger, LevelsFollowWhatComesAndGoes)
{
    auto tiers = ledger();
    tiers.hold({"weights", 0, 40_GiB, 0_s, 10_s});
    tiers.hold({"activations", 0, 20_GiB, 2_s, 5_s});
    const auto levels = tiers.timeline(0);
    ASSERT_EQ(levels.size(), 4U);
    EXPECT_EQ(levels[1].bytes, 60_GiB);
    EXPECT_EQ(levels[2].bytes, 40_GiB);
    EXPECT_EQ(levels[3].bytes, Bytes{});
    EXPECT_EQ(tiers.peak(0).at, 2_s);
    EXPECT_EQ(tiers.peak(0).contents.front().owner, "weights");
    EXPECT_TRUE(tiers.shortages().empty());
}

TEST(TierLedger, WhatLeavesMakesRoomForWhatComesAtThatInstant)
{
    auto tiers = ledger();
    tiers.hold({"first", 0, 80_GiB, 0_s, 1_s});
    tiers.hold({"second", 0, 80_GiB, 1_s, 2_s});
    EXPECT_TRUE(tiers.shortages().empty());
}

/// Megatron-LM issue 651: 650 GiB a node are staged in 780 GiB that hold the input workers already.
TEST(UserCase, U38AStagedCheckpointThatDoesNotFitIsToldWithItsNumbers)
{
    auto tiers = ledger();
    tiers.hold({"data loader workers", 1, 180_GiB, 0_s, 100_s});
    tiers.hold({"pinned buffers", 1, 20_GiB, 0_s, 100_s});
    tiers.hold({"file cache", 1, 10_GiB, 0_s, 100_s});
    tiers.hold({"checkpoint staging", 1, 650_GiB, 60_s, 90_s});
    const auto found = tiers.shortages();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(
        to_words(found.front()),
        "host DRAM needs 860 GiB at 60 s, has 780 GiB; largest: checkpoint staging 650 GiB, data "
        "loader workers 180 GiB, pinned buffers 20 GiB\n"
        "  = it would fit with 80 GiB more of host DRAM\n"
        "  = it would fit with checkpoint staging in SSD\n"
        "  = it would fit with data loader workers in SSD\n");
}

TEST(TierLedger, ARemedyLooksAtTheOtherTierWhileTheHoldingLives)
{
    TierLedger tiers{{{"HBM", 80_GiB}, {"host DRAM", 100_GiB}}};
    tiers.hold({"weights", 0, 70_GiB, 0_s, 10_s});
    tiers.hold({"activations", 0, 60_GiB, 2_s, 4_s});
    tiers.hold({"loader", 1, 50_GiB, 3_s, 9_s});
    // Host DRAM has 50 GiB left while the activations live, and less than 70 for the weights too.
    ASSERT_EQ(tiers.shortages().size(), 1U);
    EXPECT_EQ(tiers.shortages().front().remedies, (std::vector<std::string>{"50 GiB more of HBM"}));
}

/// Two sockets; a GPU and two drives on the first, one drive on the second.
NodeTiers node()
{
    const NodeTiers::Memory dram{300_GBps, 0.8, 0.75, 0.5};
    NodeTiers tiers;
    tiers.sockets = {dram, dram};
    tiers.gpus = {{{3_TBps, 0.9, 0.9, 0.85}, 50_GBps, 0}};
    tiers.drives = {{14_GBps, 10_GBps, 15_GBps, 0},
                    {14_GBps, 10_GBps, 15_GBps, 0},
                    {14_GBps, 10_GBps, 15_GBps, 1}};
    tiers.socket_link = 60_GBps;
    tiers.pool_link = 25_GBps;
    tiers.pool = {100_GBps, 0.5, 0.5, 0.4};
    return tiers;
}

std::map<std::string, double> named(const TierPaths& paths, const std::vector<TierCrossing>& copy)
{
    std::map<std::string, double> names;
    for (const auto& crossing : copy) {
        names[paths.resources()[crossing.resource].name] += crossing.consumption;
    }
    return names;
}

/// What a copy alone reaches.
double most(const TierPaths& paths, const std::vector<TierCrossing>& copy)
{
    double rate = 1e18;
    for (const auto& crossing : copy) {
        rate = std::min(rate, paths.resources()[crossing.resource].capacity / crossing.consumption);
    }
    return rate;
}

TEST(TierPaths, AReadOfADriveIntoTheGpuCrossesOnlyDriveSlotsAndHbm)
{
    const TierPaths paths{node()};
    const auto direct = paths.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, false);
    EXPECT_EQ(named(paths, direct), (std::map<std::string, double>{{"drive0/slot_out", 1},
                                                                   {"drive0/read", 1},
                                                                   {"gpu0/slot_in", 1},
                                                                   {"gpu0/hbm", 1 / 0.9}}));
    EXPECT_DOUBLE_EQ(most(paths, direct), 14e9);
}

TEST(TierPaths, ABounceBufferIsWrittenAndReadInHostMemory)
{
    const TierPaths paths{node()};
    const auto bounced = named(paths, paths.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, true));
    EXPECT_DOUBLE_EQ(bounced.at("socket0/dram"), 2 / 0.5);  // two bytes of a copy, at half the peak
}

TEST(TierPaths, TheOtherSocketsDriveCrossesTheLinkBetweenThem)
{
    const TierPaths paths{node()};
    const auto away = named(paths, paths.copy({End::Kind::drive, 2}, {End::Kind::hbm, 0}, false));
    EXPECT_EQ(away.count("socket_link/down"), 1U);
    EXPECT_EQ(away.count("socket_link/up"), 0U);
    const auto back = named(paths, paths.copy({End::Kind::hbm, 0}, {End::Kind::drive, 2}, false));
    EXPECT_EQ(back.count("socket_link/up"), 1U);
    EXPECT_EQ(back.count("drive2/write"), 1U);
    EXPECT_EQ(back.count("gpu0/slot_out"), 1U);
}

TEST(TierPaths, APooledMemoryIsBehindItsOwnLink)
{
    const TierPaths paths{node()};
    const auto copy = paths.copy({End::Kind::pool, 0}, {End::Kind::dram, 0}, false);
    EXPECT_EQ(named(paths, copy),
              (std::map<std::string, double>{
                  {"pool_link/out", 1}, {"pool", 2}, {"socket0/dram", 1 / 0.75}}));
    EXPECT_DOUBLE_EQ(most(paths, copy), 25e9);
}

}  // namespace
}  // namespace sim::memory

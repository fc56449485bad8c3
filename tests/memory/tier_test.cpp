#include <gtest/gtest.h>

#include "core/literals.hpp"
#include "memory/tier_ledger.hpp"

namespace sim::memory
{
namespace
{

using namespace literals;

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

}  // namespace
}  // namespace sim::memory

#include "memory/bank_timer.hpp"

#include <gtest/gtest.h>

#include "core/contract.hpp"
#include "memory/devices.hpp"

namespace sim::memory
{
namespace
{

// HBM3 in clocks: burst 2, tCL 20, tCWL 10, tRCD 31/15, tRP 26, tRAS 45, tRC 72, tCCD 2/4/3,
// tRRD 4/5, tFAW 24, tWR 33, tWTR 7/10, tRTP 9, tRTW 20. Two ranks of four groups of four banks.
constexpr BankShape kShape{.ranks = 2, .groups = 4, .banks_per_group = 4};
constexpr int kSameGroup = 1;  // of bank 0
constexpr int kOtherGroup = 4;
constexpr int kOtherRank = 16;

BankTimer timer() { return {dram_clocks(hbm3()), kShape}; }

/// Illegal one clock before, legal at it.
template <class Command>
void expect_tight(const BankTimer& timer, Clock legal, Command command)
{
    auto early = timer;
    EXPECT_THROW(command(early, legal - 1), ContractViolation);
    auto in_time = timer;
    EXPECT_NO_THROW(command(in_time, legal));
}

/// Bank 0 and `other` open for long, so that only column rules are left.
BankTimer both_open(int other)
{
    auto t = timer();
    t.activate(0, 7, 0);
    t.activate(other, 7, 100);
    return t;
}

TEST(BankTimer, AReadWaitsForItsRowToOpen)
{
    auto t = timer();
    t.activate(0, 7, 0);
    expect_tight(t, 31, [](auto& x, Clock at) { x.column(0, kRead, at); });
}

TEST(BankTimer, AWriteWaitsLessForItsRowToOpen)
{
    auto t = timer();
    t.activate(0, 7, 0);
    expect_tight(t, 15, [](auto& x, Clock at) { x.column(0, kWrite, at); });
}

TEST(BankTimer, ARowStaysOpenForTras)
{
    auto t = timer();
    t.activate(0, 7, 0);
    expect_tight(t, 45, [](auto& x, Clock at) { x.precharge(0, at); });
}

TEST(BankTimer, ABankOpensAgainAfterTrc)
{
    auto t = timer();
    t.activate(0, 7, 0);
    t.precharge(0, 45);  // 45 + tRP = 71, one less than tRC
    expect_tight(t, 72, [](auto& x, Clock at) { x.activate(0, 8, at); });
}

TEST(BankTimer, ABankOpensAgainAfterItsPrecharge)
{
    auto t = timer();
    t.activate(0, 7, 0);
    t.precharge(0, 60);
    expect_tight(t, 86, [](auto& x, Clock at) { x.activate(0, 8, at); });
}

TEST(BankTimer, ActivatesOfDifferentGroupsKeepTrrdS)
{
    auto t = timer();
    t.activate(0, 7, 0);
    expect_tight(t, 4, [](auto& x, Clock at) { x.activate(kOtherGroup, 7, at); });
}

TEST(BankTimer, ActivatesOfOneGroupKeepTrrdL)
{
    auto t = timer();
    t.activate(0, 7, 0);
    expect_tight(t, 5, [](auto& x, Clock at) { x.activate(kSameGroup, 7, at); });
}

TEST(BankTimer, AFifthActivateWaitsForTheWindow)
{
    auto t = timer();
    for (int i = 0; i < 4; ++i) {
        t.activate(4 * i, 7, 4 * i);  // at 0, 4, 8, 12: one a group
    }
    expect_tight(t, 24, [](auto& x, Clock at) { x.activate(kOtherRank, 7, at); });
}

TEST(BankTimer, IndependentRanksHaveTheirOwnWindow)
{
    auto shape = kShape;
    shape.independent_ranks = true;
    BankTimer t{dram_clocks(hbm3()), shape};
    t.activate(0, 7, 10);
    expect_tight(t, 1, [](auto& x, Clock at) {
        SIM_EXPECT(at >= 1);
        x.activate(kOtherRank, 7, at);
    });
}

TEST(BankTimer, AReadAfterAWriteOfARankThatSharesOnlyThePinsWaitsForThem)
{
    auto shape = kShape;
    shape.independent_ranks = true;
    const auto clocks = dram_clocks(hbm3());
    BankTimer t{clocks, shape};
    t.activate(0, 7, 0);
    t.activate(kOtherRank, 7, 100);
    t.column(0, kWrite, 200);
    expect_tight(t, 200 + clocks.write_to_read_rank,
                 [](auto& x, Clock at) { x.column(kOtherRank, kRead, at); });
}

TEST(BankTimer, ReadsOfDifferentGroupsKeepTccdS)
{
    auto t = both_open(kOtherGroup);
    t.column(0, kRead, 200);
    expect_tight(t, 202, [](auto& x, Clock at) { x.column(kOtherGroup, kRead, at); });
}

TEST(BankTimer, ReadsOfOneGroupKeepTccdL)
{
    auto t = both_open(kSameGroup);
    t.column(0, kRead, 200);
    expect_tight(t, 204, [](auto& x, Clock at) { x.column(kSameGroup, kRead, at); });
}

TEST(BankTimer, ReadsOfDifferentStackIdsKeepTccdR)
{
    auto t = both_open(kOtherRank);
    t.column(0, kRead, 200);
    expect_tight(t, 203, [](auto& x, Clock at) { x.column(kOtherRank, kRead, at); });
}

TEST(BankTimer, WritesOfOneGroupMayKeepALongerGap)
{
    auto dram = hbm3();
    dram.timing.tCCD_L_write = dram.timing.tCK * 12;
    BankTimer t{dram_clocks(dram), kShape};
    t.activate(0, 7, 0);
    t.column(0, kWrite, 100);
    expect_tight(t, 112, [](auto& x, Clock at) { x.column(0, kWrite, at); });
}

TEST(BankTimer, AWriteAfterAReadWaitsForTheTurnaround)
{
    auto t = both_open(kOtherGroup);
    t.column(0, kRead, 200);
    expect_tight(t, 220, [](auto& x, Clock at) { x.column(kOtherGroup, kWrite, at); });
}

TEST(BankTimer, WithoutATableEntryTheTurnaroundFollowsFromTheLatencies)
{
    auto dram = hbm3();
    dram.timing.tRTW.reset();
    // tCL + burst + 2 - tCWL = 20 + 2 + 2 - 10
    EXPECT_EQ(dram_clocks(dram).read_to_write, 14);
}

TEST(BankTimer, AReadAfterAWriteElsewhereWaitsForTwtrS)
{
    auto t = both_open(kOtherGroup);
    t.column(0, kWrite, 200);
    // tCWL + burst + tWTR_S = 10 + 2 + 7
    expect_tight(t, 219, [](auto& x, Clock at) { x.column(kOtherGroup, kRead, at); });
}

TEST(BankTimer, AReadAfterAWriteOfItsGroupWaitsForTwtrL)
{
    auto t = both_open(kSameGroup);
    t.column(0, kWrite, 200);
    // tCWL + burst + tWTR_L = 10 + 2 + 10
    expect_tight(t, 222, [](auto& x, Clock at) { x.column(kSameGroup, kRead, at); });
}

TEST(BankTimer, ARowStaysOpenForTrtpAfterARead)
{
    auto t = timer();
    t.activate(0, 7, 0);
    t.column(0, kRead, 100);
    expect_tight(t, 109, [](auto& x, Clock at) { x.precharge(0, at); });
}

TEST(BankTimer, ARowStaysOpenForTwrAfterAWrite)
{
    auto t = timer();
    t.activate(0, 7, 0);
    t.column(0, kWrite, 100);
    // tCWL + burst + tWR = 10 + 2 + 33
    expect_tight(t, 145, [](auto& x, Clock at) { x.precharge(0, at); });
}

TEST(BankTimer, NoBankOpensWhileAllAreRefreshed)
{
    auto t = timer();
    t.refresh_all(0, 1000, 560);
    expect_tight(t, 1560, [](auto& x, Clock at) { x.activate(kOtherRank, 7, at); });
}

TEST(BankTimer, OneBanksRefreshLeavesTheOthersAlone)
{
    auto t = timer();
    t.activate(kOtherGroup, 7, 0);
    t.refresh_bank(0, 1000, 320);
    expect_tight(t, 1320, [](auto& x, Clock at) { x.activate(0, 7, at); });
    EXPECT_NO_THROW(t.column(kOtherGroup, kRead, 1001));
}

TEST(BankTimer, AReadIsLateByTheRefreshOnlyWhereItsRowWaitedForTheEndOfIt)
{
    auto held = timer();
    held.refresh_all(0, 1000, 560);
    held.activate(0, 7, 1560);
    EXPECT_EQ(held.column_bound(0, kRead, 1591), Bound::refresh);
    auto late = timer();
    late.refresh_all(0, 1000, 560);
    late.activate(0, 7, 1700);
    EXPECT_EQ(late.column_bound(0, kRead, 1731), Bound::row_cycle);
}

TEST(BankTimer, AHeldBusDelaysEveryColumnCommand)
{
    auto t = both_open(kOtherGroup);
    t.hold_pins(300);
    expect_tight(t, 300, [](auto& x, Clock at) { x.column(0, kRead, at); });
}

}  // namespace
}  // namespace sim::memory

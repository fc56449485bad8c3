#include "memory/dram_channel.hpp"

#include <gtest/gtest.h>

#include "memory/devices.hpp"

namespace sim::memory
{
namespace
{

constexpr Clock kLatency = 31 + 20 + 2;  // tRCD + tCL + burst of an idle, closed bank

DramChannel channel(const spec::DramSpec& dram)
{
    return {dram_clocks(dram),
            {dram.ranks, dram.bank_groups, dram.banks_per_group, dram.independent_ranks},
            channel_policy(dram)};
}

spec::DramSpec without_refresh()
{
    auto dram = hbm3();
    dram.controller.refresh = spec::Refresh::none;
    return dram;
}

Request read(Clock at, int bank, int row)
{
    return {at, row, 0, static_cast<std::uint16_t>(bank), kRead};
}

Request write(Clock at, int bank, int row)
{
    return {at, row, 0, static_cast<std::uint16_t>(bank), kWrite};
}

TEST(DramChannel, AnIdleReadTakesActivateColumnAndBurst)
{
    auto c = channel(without_refresh());
    c.push(read(100, 0, 5));
    c.run_until(1000);
    EXPECT_EQ(c.counters().read_latency, kLatency);
    EXPECT_EQ(c.counters().activates, 1);
}

TEST(DramChannel, ARowHitNeedsNoActivate)
{
    auto c = channel(without_refresh());
    c.push(read(0, 0, 5));
    c.push(read(500, 0, 5));
    c.run_until(1000);
    EXPECT_EQ(c.counters().activates, 1);
    EXPECT_EQ(c.counters().read_latency, kLatency + 22);  // the second: tCL + burst
}

TEST(DramChannel, AConflictClosesTheRowFirst)
{
    auto c = channel(without_refresh());
    c.push(read(0, 0, 5));
    c.push(read(500, 0, 6));
    c.run_until(1000);
    EXPECT_EQ(c.counters().activates, 2);
    EXPECT_EQ(c.counters().read_latency, kLatency + 26 + kLatency);  // tRP more
}

TEST(DramChannel, AClosedPageHidesThePrecharge)
{
    auto dram = without_refresh();
    dram.controller.page = spec::PagePolicy::closed;
    auto c = channel(dram);
    c.push(read(0, 0, 5));
    c.push(read(500, 0, 6));
    c.run_until(1000);
    EXPECT_EQ(c.counters().read_latency, 2 * kLatency);
}

TEST(DramChannel, RowHitsGoBeforeAnOlderConflict)
{
    auto c = channel(without_refresh());
    c.push(read(0, 0, 5));
    c.push(read(1, 0, 6));
    c.push(read(2, 0, 5));
    c.run_until(2000);
    EXPECT_EQ(c.counters().activates, 2);  // 5, 5, 6
}

TEST(DramChannel, AStarvingRequestGoesBeforeRowHits)
{
    auto dram = without_refresh();
    dram.controller.starvation = dram.timing.tCK * 10;
    auto c = channel(dram);
    c.push(read(0, 0, 5));
    c.push(read(1, 0, 6));
    c.push(read(2, 0, 5));
    c.run_until(2000);
    EXPECT_EQ(c.counters().activates, 3);  // 5, 6, 5
}

TEST(DramChannel, WritesWaitWhileReadsCome)
{
    auto c = channel(without_refresh());
    for (int i = 0; i < 40; ++i) {
        c.push(read(0, 0, 5));
    }
    c.push(write(0, 4, 5));
    c.run_until(60);
    EXPECT_EQ(c.counters().columns[kWrite], 0);
    c.run_until(1000);
    EXPECT_EQ(c.counters().columns[kWrite], 1);
}

TEST(DramChannel, BatchedWritesWaitForTheHighMark)
{
    auto dram = without_refresh();
    dram.controller.idle_drains = false;
    auto c = channel(dram);
    for (int i = 0; i < 51; ++i) {
        c.push(write(0, 0, 5));
    }
    c.run_until(10000);
    EXPECT_EQ(c.counters().columns[kWrite], 0);  // 51 of 64 is the high mark
    c.push(write(10000, 0, 5));
    c.run_until(20000);
    EXPECT_EQ(c.counters().columns[kWrite], 52);  // once begun, and no read waits, all go
}

TEST(DramChannel, ManyWritesStopTheReads)
{
    auto c = channel(without_refresh());
    for (int i = 0; i < 60; ++i) {
        c.push(write(0, 0, 5));
    }
    for (int i = 0; i < 30; ++i) {
        c.push(read(0, 4, 5));
    }
    // 51 of 64 is the high mark, 12 of 64 the low one: 49 writes go before the first read.
    c.run_until(15 + 4 * 47);
    EXPECT_EQ(c.counters().columns[kRead], 0);
    EXPECT_GE(c.counters().columns[kWrite], 47);
}

TEST(DramChannel, OneBankAfterAnotherTakesRowCycles)
{
    auto c = channel(without_refresh());
    for (int row = 0; row < 11; ++row) {
        c.push(read(0, 0, row));
    }
    c.run_until(31 + 10 * 72 + 1);  // the last column comes 10 row cycles after the first
    EXPECT_EQ(c.counters().columns[kRead], 11);
}

TEST(DramChannel, RefreshClosesEveryRowAndStopsTheChannel)
{
    auto c = channel(hbm3());
    c.push(read(0, 0, 5));
    c.push(read(6241, 0, 5));  // just after the first tREFI
    c.run_until(10000);
    // Due at 6240, begun after tRP (26), lasting 560: the activate waits until 6826.
    EXPECT_EQ(c.counters().read_latency, kLatency + (6240 + 26 + 560 - 6241) + kLatency);
}

TEST(DramChannel, ARefreshBeginsWhenItIsDueAndNotBefore)
{
    // Due at tREFI = 6240: a read that comes then still goes first, one a clock later waits for
    // what is left of tRFC = 560.
    auto before = channel(hbm3());
    before.push(read(6240, 0, 5));
    before.run_until(10000);
    EXPECT_EQ(before.counters().read_latency, kLatency);
    auto after = channel(hbm3());
    after.push(read(6241, 0, 5));
    after.run_until(10000);
    EXPECT_EQ(after.counters().read_latency, 559 + kLatency);
}

TEST(DramChannel, HiddenRefreshCostsNothing)
{
    auto dram = hbm3();
    dram.controller.refresh = spec::Refresh::hidden;
    auto c = channel(dram);
    c.push(read(0, 0, 5));
    c.push(read(6241, 0, 5));
    c.run_until(10000);
    EXPECT_EQ(c.counters().read_latency, kLatency + 22);
}

TEST(DramChannel, PerBankRefreshLeavesOtherBanksWorking)
{
    auto dram = hbm3();
    dram.controller.refresh = spec::Refresh::per_bank;
    auto c = channel(dram);
    c.push(read(0, 31, 5));
    c.push(read(197, 31, 5));  // bank 0 is refreshed from 6240 / 32 = 195 on
    c.run_until(300);
    EXPECT_EQ(c.counters().read_latency, kLatency + 22);
    EXPECT_EQ(c.counters().refreshes, 2);  // of both pseudo-channels
}

TEST(DramChannel, AHotDeviceRefreshesTwiceAsOften)
{
    auto dram = hbm3();
    dram.thermal.celsius = 90;
    EXPECT_EQ(dram_clocks(dram).refresh_interval, 3120);
}

TEST(DramChannel, AThrottledDeviceStandsStillForItsShare)
{
    auto dram = hbm3();
    dram.thermal.celsius = 100;
    // Half of the doubled interval on top of the refresh itself: 560 + 3120 / 2.
    EXPECT_EQ(channel_policy(dram).refresh_pause, 2120);
}

TEST(DramChannel, EccInTheDataTakesABurstNowAndThen)
{
    auto dram = without_refresh();
    dram.ecc.data_bursts_per_check = 4;
    auto c = channel(dram);
    for (int i = 0; i < 9; ++i) {
        c.push(read(0, 4 * (i % 4), 5));
    }
    c.run_until(43 + 20 + 2 * 10 + 1);
    // Nine bursts and two checks: the ninth is 10 bursts after the first.
    EXPECT_EQ(c.counters().columns[kRead], 9);
}

TEST(DramChannel, RoomIsMadeByServing)
{
    auto dram = without_refresh();
    dram.controller.read_queue = 2;
    auto c = channel(dram);
    c.push(read(0, 0, 5));
    c.push(read(0, 0, 6));
    EXPECT_EQ(c.make_room(kRead), 31);  // the first column command frees an entry
}

TEST(DramChannel, TimeWithoutWorkIsChargedToArrival)
{
    auto c = channel(without_refresh());
    c.push(read(0, 0, 5));
    c.push(read(531, 0, 5));
    c.run_until(1000);
    // The first burst left the pins at 33, the second takes them at 531.
    EXPECT_EQ(c.counters().lost[static_cast<int>(Bound::arrival)], 531 - 33);
}

}  // namespace
}  // namespace sim::memory

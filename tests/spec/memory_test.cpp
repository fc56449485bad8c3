#include "spec/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/devices.hpp"

namespace sim::spec
{
namespace
{

using memory::hbm3;

std::string words(const DramSpec& dram) { return render(validate(dram, "")); }

TEST(DramSpec, AGoodTableHasNothingToComplainOf)
{
    EXPECT_THAT(validate(hbm3(), ""), testing::IsEmpty());
}

TEST(DramSpec, ARowCycleShorterThanItsPartsIsRefused)
{
    auto dram = hbm3();
    dram.timing.tRC = dram.timing.tCK * 70;  // tRAS + tRP = 45 + 26
    EXPECT_THAT(words(dram), testing::HasSubstr("error: timing.tRC: is 43.75 ns, less than tRAS + "
                                                "tRP = 44.38 ns"));
}

TEST(DramSpec, AWindowThatNeverBindsIsAWarning)
{
    auto dram = hbm3();
    dram.timing.tFAW = dram.timing.tCK * 15;  // 4 x 4
    const auto found = validate(dram, "");
    EXPECT_FALSE(has_errors(found));
    EXPECT_THAT(render(found), testing::HasSubstr("warning: timing.tFAW"));
}

TEST(DramSpec, ABandwidthThePinsDoNotGiveIsRefused)
{
    auto dram = hbm3();
    dram.bandwidth = dram.bandwidth * 1.5;
    EXPECT_THAT(words(dram), testing::HasSubstr("16 channels of 2 x 32 pins at 6.4 Gbps give "
                                                "819.2 GB/s"));
}

TEST(DramSpec, ACapacityTheAddressBitsDoNotReachIsRefused)
{
    auto dram = hbm3();
    dram.rows /= 2;
    EXPECT_THAT(words(dram), testing::HasSubstr("columns reach 8 GiB"));
}

TEST(DramSpec, NoChannelsAreRefusedAndNothingIsDividedByThem)
{
    auto dram = hbm3();
    dram.channels = 0;
    EXPECT_THAT(words(dram), testing::HasSubstr("channels: is 0, but must be at least 1"));
}

TEST(DramSpec, AClockThatABurstDoesNotFitIsRefused)
{
    auto dram = hbm3();
    dram.timing.tCK = dram.timing.tCK * 1.4;  // the burst of 1.25 ns takes 1.43 clocks
    EXPECT_THAT(words(dram), testing::HasSubstr("a burst takes whole clocks"));
}

TEST(DramSpec, AMappingMustNameEveryFieldOnce)
{
    auto dram = hbm3();
    dram.mapping.order = "row-bank-rank-column-group";
    EXPECT_THAT(words(dram), testing::HasSubstr("mapping.order: leaves out \"pseudo\""));
    dram.mapping.order = "row-bank-rank-bank-column-pseudo-group";
    EXPECT_THAT(words(dram), testing::HasSubstr("names \"bank\" 2 times"));
    dram.mapping.order = "row-bank-rank-column:6-pseudo-group";
    EXPECT_THAT(words(dram), testing::HasSubstr("has 6 column bits, but a row has 5"));
    dram.mapping.order = "row-bonk-rank-column-pseudo-group";
    EXPECT_THAT(words(dram), testing::HasSubstr("\"bonk\" is not one of row"));
}

TEST(DramSpec, ARangeHoldsItsValue)
{
    auto dram = hbm3();
    dram.ranges = {{"tFAW", dram.timing.tFAW * 2, dram.timing.tFAW * 3}};
    EXPECT_THAT(words(dram), testing::HasSubstr("does not hold the value 15 ns"));
}

TEST(DramSpec, FasterPinsKeepTheCoreAndShortenTheClock)
{
    const auto fast = at_pin_rate(hbm3(), hbm3().pin_rate * 2);
    EXPECT_EQ(fast.timing.tRCD_read, hbm3().timing.tRCD_read);
    EXPECT_DOUBLE_EQ(fast.timing.tCK / hbm3().timing.tCK, 0.5);
    EXPECT_DOUBLE_EQ(fast.timing.tCCD_S / fast.timing.tCK, 2);
    EXPECT_THAT(validate(fast, ""), testing::IsEmpty());
}

}  // namespace
}  // namespace sim::spec

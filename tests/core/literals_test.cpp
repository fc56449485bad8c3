#include "core/literals.hpp"

#include <gtest/gtest.h>

namespace sim
{
namespace
{

using namespace sim::literals;

TEST(Literals, TimesAreTheDoubleClosestToTheirDecimals)
{
    EXPECT_EQ((45_ns).base(), 45e-9);
    EXPECT_EQ((1.2_us).base(), 1.2e-6);
    EXPECT_EQ((3_ms).base(), 3e-3);
    EXPECT_EQ((2_s).base(), 2.0);
    EXPECT_EQ((7_ps).base(), 7e-12);
}

TEST(Literals, DecimalAndBinarySizesDiffer)
{
    EXPECT_EQ((2_KiB).base(), 2048);
    EXPECT_EQ((2_kB).base(), 2000);
    EXPECT_EQ((80_GiB).base(), 85'899'345'920);  // 80 * 2^30
    EXPECT_EQ((1_GB).base(), 1'000'000'000);
    EXPECT_EQ((3_TiB).base(), 3'298'534'883'328);  // 3 * 2^40
    EXPECT_EQ((4_TB).base(), 4'000'000'000'000);
    EXPECT_EQ((5_MiB).base(), 5'242'880);
    EXPECT_EQ((6_MB - 5_B).base(), 5'999'995);
}

TEST(Literals, BitsAreAnEighthOfBytes)
{
    EXPECT_EQ((400_Gbps).base(), 50e9);
    EXPECT_EQ((51.2_Tbps).base(), 6.4e12);
    EXPECT_EQ((100_Mbps).base(), 12.5e6);
    EXPECT_EQ(400_Gbps, 50_GBps);
    EXPECT_EQ((1_GiBps).base(), 1073741824.0);
    EXPECT_EQ(3.35_TBps, 3350_GBps);
    EXPECT_EQ(1_GBps, 1000_MBps);
}

TEST(Literals, WorkRateFrequencyPowerAndMoneyHaveTheirs)
{
    EXPECT_EQ((989_TFLOPS).base(), 989e12);
    EXPECT_EQ(1_PFLOPS, 1000_TFLOPS);
    EXPECT_EQ(1_TFLOP / 1_TFLOPS, 1_s);
    EXPECT_EQ(1.755_GHz, 1755_MHz);
    EXPECT_EQ(0.7_kW, 700_W);
    EXPECT_EQ((30000_USD).base(), 30000.0);
}

}  // namespace
}  // namespace sim

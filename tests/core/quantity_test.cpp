#include "core/quantity.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "core/literals.hpp"

namespace sim
{
namespace
{

using namespace sim::literals;

TEST(Quantity, AHundredGigabytesAtAHundredGigabytesPerSecondTakeOneSecond)
{
    // Decimal on both sides; with 2^30 in one of them this would be 0.931 or 1.074.
    EXPECT_EQ(100_GB / 100_GBps, 1_s);
}

TEST(Quantity, TheAlgebraIsTheFourQuotientsOfThePhysics)
{
    EXPECT_EQ(1_GB / 1_s, 1_GBps);
    EXPECT_EQ(4_TFLOP / 2_TFLOPS, 2_s);
    EXPECT_EQ(4_TFLOP / 2_s, 2_TFLOPS);
}

TEST(Quantity, LikesAddSubtractScaleAndCompare)
{
    EXPECT_EQ(1_KiB + 1_KiB, 2_KiB);
    EXPECT_EQ(3_s - 1_s, 2_s);
    EXPECT_EQ(3 * 2_KiB, 2_KiB * 3);
    EXPECT_EQ(7_B / 2, 3_B) << "sizes are whole";
    EXPECT_EQ(3_s / 2_s, 1.5) << "likes divide to a bare ratio";
    EXPECT_LT(999_us, 1_ms);
    auto sum = 1_s;
    sum += 2_s;
    sum -= 500_ms;
    EXPECT_EQ(sum, 2.5_s);
    EXPECT_EQ(Bytes{}, 0_B);
}

TEST(Quantity, SizesAreExactBeyondADouble)
{
    // 2^53 + 1 has no double.
    const auto size = Bytes::of((std::int64_t{1} << 53U) + 1);
    EXPECT_EQ((size - Bytes::of(std::int64_t{1} << 53U)).base(), 1);
}

template <class A, class B>
concept Additive = requires(A a, B b)
{
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b)
{
    a < b;
};
template <class A, class B>
concept Multiplicative = requires(A a, B b)
{
    a* b;
};

TEST(Quantity, UnlikesDoNotMeet)
{
    EXPECT_TRUE((Additive<Bytes, Bytes>));
    EXPECT_FALSE((Additive<Bytes, Time>));
    EXPECT_FALSE((Additive<Bandwidth, FlopRate>));
    EXPECT_FALSE((Additive<Time, double>));
    EXPECT_FALSE((Comparable<Bytes, Flops>));
    EXPECT_FALSE((Multiplicative<Time, Time>));
    EXPECT_FALSE((std::is_convertible_v<double, Bytes>));
    EXPECT_FALSE((std::is_convertible_v<Time, double>));
    EXPECT_FALSE((std::is_convertible_v<Bandwidth, Bytes>));
}

}  // namespace
}  // namespace sim

#include "core/quantity_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/literals.hpp"
#include "core/random.hpp"

namespace sim
{
namespace
{

using namespace sim::literals;

template <class Q>
std::string complaint(std::string_view text)
{
    const auto parsed = parse<Q>(text);
    EXPECT_FALSE(parsed) << text;
    return parsed.message + " = " + parsed.hint;
}

TEST(Parse, Times)
{
    EXPECT_EQ(parse<Time>("45 ns").value, 45_ns);
    EXPECT_EQ(parse<Time>("1.2us").value, 1.2_us);
    EXPECT_EQ(parse<Time>("3 ms").value, 3_ms);
    EXPECT_EQ(parse<Time>(".5 s").value, 500_ms);
    EXPECT_EQ(parse<Time>("7 ps").value, 7_ps);
    EXPECT_EQ(parse<Time>("2 min").value, 120_s);
    EXPECT_EQ(parse<Time>("1.5 h").value, 5400_s);
    EXPECT_EQ(parse<Time>("1e-3 s").value, 1_ms);
}

TEST(Parse, SizesDecimalAndBinary)
{
    EXPECT_EQ(parse<Bytes>("80 GiB").value, 80_GiB);
    EXPECT_EQ(parse<Bytes>("80 GB").value, 80_GB);
    EXPECT_EQ(parse<Bytes>("4KiB").value, 4_KiB);
    EXPECT_EQ(parse<Bytes>("4 kB").value, 4000_B);
    EXPECT_EQ(parse<Bytes>("1.5 GB").value, 1500_MB);
    EXPECT_EQ(parse<Bytes>("17.65 GB").value, 17650_MB);
    EXPECT_EQ(parse<Bytes>("2 PiB").value, 2048_TiB);
    EXPECT_EQ(parse<Bytes>("12 B").value, 12_B);
}

TEST(Parse, SizesKeepBitsADoubleWouldLose)
{
    // 2^53 + 1, and 2^63 - 1, the largest of all.
    EXPECT_EQ(parse<Bytes>("9007199254740993 B").value->base(), 9007199254740993);
    EXPECT_EQ(parse<Bytes>("9223372036854775807 B").value->base(),
              std::numeric_limits<std::int64_t>::max());
}

TEST(Parse, FractionsOfPrefixedSizesRoundToAByte)
{
    EXPECT_EQ(parse<Bytes>("0.3 KiB").value->base(), 307);  // 307.2
    EXPECT_EQ(parse<Bytes>("0.0009 kB").value->base(), 1);  // 0.9
    EXPECT_EQ(complaint<Bytes>("0.3 B"),
              "\"0.3 B\" is not a whole number of bytes = write a whole "
              "number of bytes");
    EXPECT_EQ(complaint<Bytes>("0.0001 kB"),
              "\"0.0001 kB\" is not a whole number of bytes = write a whole number of bytes");
}

TEST(Parse, BandwidthsInBitsAndBytesBothSpellings)
{
    EXPECT_EQ(parse<Bandwidth>("400 Gbps").value, 50_GBps);
    EXPECT_EQ(parse<Bandwidth>("400 Gb/s").value, 50_GBps);
    EXPECT_EQ(parse<Bandwidth>("50 GBps").value, 50_GBps);
    EXPECT_EQ(parse<Bandwidth>("50 GB/s").value, 50_GBps);
    EXPECT_EQ(parse<Bandwidth>("3.35TB/s").value, 3.35_TBps);
    EXPECT_EQ(parse<Bandwidth>("1 GiB/s").value, 1_GiBps);
    EXPECT_EQ(parse<Bandwidth>("8 Kibps").value, Bandwidth::of(1024));
    EXPECT_EQ(parse<Bandwidth>("51.2 Tbps").value, 51.2_Tbps);
}

TEST(Parse, WorkRatesFrequenciesPowersPrices)
{
    EXPECT_EQ(parse<Flops>("2 TFLOP").value, 2_TFLOP);
    EXPECT_EQ(parse<FlopRate>("989 TFLOP/s").value, 989_TFLOPS);
    EXPECT_EQ(parse<FlopRate>("989 TFLOPS").value, 989_TFLOPS);
    EXPECT_EQ(parse<Frequency>("1755 MHz").value, 1.755_GHz);
    EXPECT_EQ(parse<Power>("0.7 kW").value, 700_W);
    EXPECT_EQ(parse<Money>("30000 USD").value, 30000_USD);
}

TEST(Parse, SpaceAroundAndBetweenIsFree)
{
    EXPECT_EQ(parse<Time>("  5   us ").value, 5_us);
    EXPECT_EQ(parse<Time>("5us").value, 5_us);
}

TEST(Parse, ZeroNeedsNoUnitAndMayHaveOne)
{
    EXPECT_EQ(parse<Time>("0").value, Time{});
    EXPECT_EQ(parse<Bytes>("0").value, Bytes{});
    EXPECT_EQ(parse<Bytes>("0 B").value, Bytes{});
    EXPECT_EQ(complaint<Time>("0.0"), "\"0.0\" has no unit = write one of s, ms, us, ns");
}

TEST(Parse, ANumberWithoutAUnitIsAnError)
{
    EXPECT_EQ(complaint<Time>("500"), "\"500\" has no unit = write one of s, ms, us, ns");
    EXPECT_EQ(complaint<Bytes>("64"),
              "\"64\" has no unit = write one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
}

TEST(Parse, AForeignUnitIsAnErrorThatOffersOwnOnes)
{
    EXPECT_EQ(complaint<Bandwidth>("900 GB"),
              "\"900 GB\" is not a bandwidth: unknown unit \"GB\" = write one of Gbps, Tbps, MB/s, "
              "GB/s, TB/s, GiB/s (b is bits, B is bytes)");
    EXPECT_EQ(complaint<Time>("5 sec"),
              "\"5 sec\" is not a time: unknown unit \"sec\" = write one of s, ms, us, ns");
    EXPECT_EQ(complaint<Power>("5 Watt"),
              "\"5 Watt\" is not a power: unknown unit \"Watt\" = write one of W, kW, MW");
    EXPECT_FALSE(parse<Bytes>("5 Gb")) << "a size in bits";
    EXPECT_FALSE(parse<Time>("5 ks")) << "no one measures so";
    EXPECT_FALSE(parse<Frequency>("1 GiHz"));
    EXPECT_FALSE(parse<FlopRate>("1 TFLOPs")) << "a plural, or per second?";
}

TEST(Parse, AUnitInTheWrongCaseIsRecognised)
{
    EXPECT_EQ(complaint<Bytes>("64 KB"),
              "\"64 KB\" is not a size: unknown unit \"KB\" = did you "
              "mean \"kB\"? (k is 1000, Ki is 1024)");
    EXPECT_EQ(complaint<Frequency>("2 ghz"),
              "\"2 ghz\" is not a frequency: unknown unit \"ghz\" = did you mean \"GHz\"?");
    // Bits or bytes? Not ours to guess.
    EXPECT_EQ(complaint<Bandwidth>("400 gbps"),
              "\"400 gbps\" is not a bandwidth: unknown unit \"gbps\" = write one of Gbps, Tbps, "
              "MB/s, GB/s, TB/s, GiB/s (b is bits, B is bytes)");
}

TEST(Parse, WhatIsNoNumberIsAnError)
{
    const std::string expected_tail =
        " is not a time: it does not start with a number = write a number and one of s, ms, us, ns";
    for (const std::string text :
         {"", "fast", "nan s", "inf s", "-inf s", "s 5", "-", ".", "+5 s"}) {
        EXPECT_EQ(complaint<Time>(text), "\"" + text + "\"" + expected_tail);
    }
}

TEST(Parse, NegativeNumbersAreErrors)
{
    EXPECT_EQ(complaint<Time>("-5 us"),
              "\"-5 us\" is negative = write a number that is not below 0");
    EXPECT_FALSE(parse<Bytes>("-1 B"));
}

TEST(Parse, NumbersOutOfRangeAreErrors)
{
    EXPECT_EQ(complaint<Bytes>("9.3 EB"),
              "\"9.3 EB\" is out of range = a size is below 2^63 bytes (9.2 EB)");
    EXPECT_FALSE(parse<Bytes>("9223372036854775808 B"));
    EXPECT_FALSE(parse<Bytes>("10000 PB"));
    EXPECT_FALSE(parse<Bytes>("1e300 B"));
    EXPECT_EQ(complaint<Time>("1e400 s"),
              "\"1e400 s\" is out of range = write a number a double can hold");
    EXPECT_FALSE(parse<Time>("1e-400 s"));
    EXPECT_EQ(complaint<Bandwidth>("1e308 TB/s"),
              "\"1e308 TB/s\" is out of range = write a smaller number");
}

TEST(Parse, UnlimitedIsAWordOfItsOwn)
{
    EXPECT_TRUE(is_unlimited(" unlimited "));
    EXPECT_FALSE(is_unlimited("Unlimited"));
    EXPECT_FALSE(is_unlimited("0"));
    EXPECT_EQ(complaint<Power>("unlimited"),
              "\"unlimited\" is not possible here = write a number and one of W, kW, MW");
}

TEST(ToText, PicksTheUnitThatKeepsTheNumberShort)
{
    EXPECT_EQ(to_text(1.2_us), "1.2 us");
    EXPECT_EQ(to_text(0.66123_s), "661.2 ms");
    EXPECT_EQ(to_text(3600_s), "3600 s");
    EXPECT_EQ(to_text(0.25_ps), "0.25 ps");
    EXPECT_EQ(to_text(80_GiB), "80 GiB");
    EXPECT_EQ(to_text(1023_B), "1023 B");
    EXPECT_EQ(to_text(1536_B), "1.5 KiB");
    EXPECT_EQ(to_text(3.35_TBps), "3.35 TB/s");
    EXPECT_EQ(to_text(400_Gbps), "50 GB/s");
    EXPECT_EQ(to_bit_text(400_Gbps), "400 Gbps");
    EXPECT_EQ(to_bit_text(51.2_Tbps), "51.2 Tbps");
    EXPECT_EQ(to_text(989_TFLOPS), "989 TFLOP/s");
    EXPECT_EQ(to_text(2_TFLOP), "2 TFLOP");
    EXPECT_EQ(to_text(1.755_GHz), "1.755 GHz");
    EXPECT_EQ(to_text(700_W), "700 W");
    EXPECT_EQ(to_text(250_USD), "250 USD");
}

TEST(ToText, ZeroIsInTheBaseUnitAndADifferenceKeepsItsSign)
{
    EXPECT_EQ(to_text(Time{}), "0 s");
    EXPECT_EQ(to_text(Bytes{}), "0 B");
    EXPECT_EQ(to_text(1_us - 3_us), "-2 us");
    // Rounded to four digits these are one of the next unit, not a thousand of theirs.
    EXPECT_EQ(to_text(Time::of(0.99999999999)), "1 s");
    EXPECT_EQ(to_text(Time::of(0.99994)), "999.9 ms");
    EXPECT_EQ(to_text(Time::of(-0.00099999)), "-1 ms");
    EXPECT_EQ(to_text(Bytes::of(1024 * 1024 - 1)), "1 MiB");
}

TEST(ToText, WritesLongNumbersOutWithoutAnExponent)
{
    EXPECT_EQ(to_text(123456_s), "123456 s");
    EXPECT_EQ(to_text(9000_TiB), "9000 TiB");
    EXPECT_EQ(to_text(20000_TiB), "20000 TiB");
}

TEST(ToExactText, PicksTheShortestThatIsExact)
{
    EXPECT_EQ(to_exact_text(1.2_us), "1.2 us");
    EXPECT_EQ(to_exact_text(17650_MB), "17.65 GB");
    EXPECT_EQ(to_exact_text(80_GiB), "80 GiB");
    EXPECT_EQ(to_exact_text(Bytes::of(9007199254740993)), "9007199254740993 B");
    EXPECT_EQ(to_exact_text(3.35_TBps), "3.35 TB/s");
    EXPECT_EQ(to_exact_text(Time{}), "0 s");
}

/// A number of any size between 1e-12 and 1e17.
double some_number(RandomStream& stream)
{
    return stream.uniform() * std::pow(10.0, static_cast<double>(stream.below(30)) - 12);
}

template <class Q>
void expect_print_and_parse_agree()
{
    RandomStream stream{11, "print and parse", {}};
    for (int i = 0; i < 2000; ++i) {
        const auto quantity = Q::of(some_number(stream));
        ASSERT_EQ(parse<Q>(to_exact_text(quantity)).value, quantity) << to_exact_text(quantity);
        const auto read = parse<Q>(to_text(quantity)).value;
        ASSERT_TRUE(read) << to_text(quantity);
        // Four significant digits: off by at most half of the fourth, 5e-4 of a leading 1.
        ASSERT_NEAR(*read / quantity, 1, 5e-4 + 1e-12) << to_text(quantity);
    }
}

TEST(Text, WhatIsPrintedParsesBack)
{
    expect_print_and_parse_agree<Time>();
    expect_print_and_parse_agree<Bandwidth>();
    expect_print_and_parse_agree<Flops>();
    expect_print_and_parse_agree<FlopRate>();
    expect_print_and_parse_agree<Frequency>();
    expect_print_and_parse_agree<Power>();
    expect_print_and_parse_agree<Money>();
}

TEST(Text, SizesParseBackToTheByte)
{
    RandomStream stream{12, "sizes", {}};
    for (int i = 0; i < 2000; ++i) {
        const auto size = Bytes::of(static_cast<std::int64_t>(stream.bits() >> (1 + i % 63)));
        ASSERT_EQ(parse<Bytes>(to_exact_text(size)).value, size) << to_exact_text(size);
        ASSERT_TRUE(parse<Bytes>(to_text(size))) << to_text(size);
    }
}

TEST(Text, BitsParseBackToo)
{
    for (const auto rate : {400_Gbps, 1.5_GBps, 51.2_Tbps, Bandwidth::of(12.5)}) {
        EXPECT_DOUBLE_EQ(*parse<Bandwidth>(to_bit_text(rate)).value / rate, 1);
    }
}

}  // namespace
}  // namespace sim

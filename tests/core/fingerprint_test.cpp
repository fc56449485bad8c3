#include "core/fingerprint.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>

namespace sim
{
namespace
{

std::uint64_t of(std::initializer_list<std::uint64_t> words)
{
    Fingerprint fingerprint;
    for (const auto word : words) {
        fingerprint.add(word);
    }
    return fingerprint.value();
}

TEST(Fingerprint, IsTheSameForTheSameWords) { EXPECT_EQ(of({1, 2, 3}), of({1, 2, 3})); }

TEST(Fingerprint, TellsOrderLengthAndContentApart)
{
    const std::set<std::uint64_t> values{of({}),     of({0}),    of({0, 0}),   of({1}),
                                         of({1, 2}), of({2, 1}), of({1, 2, 0})};
    EXPECT_EQ(values.size(), 7U);
}

TEST(Fingerprint, AddsWordsWithTheDocumentedMix)
{
    // value_0 = 0, value_1 = mix(value_0, 5), value_2 = mix(value_1, 6).
    EXPECT_EQ(of({5, 6}), mix(mix(0, 5), 6));
}

TEST(Fingerprint, CountsBothZerosAsOne)
{
    Fingerprint plus;
    Fingerprint minus;
    plus.add(0.0);
    minus.add(-0.0);
    EXPECT_EQ(plus.value(), minus.value());
}

TEST(Fingerprint, SeesTheLastBitOfADouble)
{
    Fingerprint one;
    Fingerprint next;
    one.add(1.0);
    next.add(1.0 + 0x1p-52);
    EXPECT_NE(one.value(), next.value());
}

TEST(Fingerprint, TakesIntegersOfAnyWidth)
{
    Fingerprint narrow;
    Fingerprint wide;
    narrow.add(7);
    wide.add(std::uint64_t{7});
    EXPECT_EQ(narrow.value(), wide.value());
}

}  // namespace
}  // namespace sim

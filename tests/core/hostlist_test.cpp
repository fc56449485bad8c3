#include "core/hostlist.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sim
{
namespace
{

using testing::ElementsAre;

TEST(Hostlist, ARangeKeepsItsLeadingZeros)
{
    EXPECT_THAT(expand_hostlist("n[08-10]").value(), ElementsAre("n08", "n09", "n10"));
}

TEST(Hostlist, NamesRangesAndSinglesMix)
{
    EXPECT_THAT(expand_hostlist("a[1-2,7],login,b").value(),
                ElementsAre("a1", "a2", "a7", "login", "b"));
}

TEST(Hostlist, TwoBracketsMultiply)
{
    EXPECT_THAT(expand_hostlist("r[1-2]n[1-2]x").value(),
                ElementsAre("r1n1x", "r1n2x", "r2n1x", "r2n2x"));
}

TEST(Hostlist, ABareRangeIsNumbers)
{
    EXPECT_THAT(expand_hostlist("[1101-1102]").value(), ElementsAre("1101", "1102"));
}

TEST(Hostlist, WhatIsNoHostListIsRefused)
{
    for (const auto* text : {"", "n[1-2", "n1-2]", "n[2-1]", "n[a-b]", "n[]", "a,,b", "n[1-]"}) {
        EXPECT_FALSE(expand_hostlist(text)) << text;
    }
}

TEST(Hostlist, MoreThanAMillionNamesAreRefused)
{
    EXPECT_FALSE(expand_hostlist("n[1-2000000]"));
    EXPECT_FALSE(expand_hostlist("n[1-2000][1-2000]"));
}

}  // namespace
}  // namespace sim

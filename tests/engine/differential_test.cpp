#include <iostream>

#include <gtest/gtest.h>

#include "engine/random_scenario.hpp"

namespace sim::engine::testing
{
namespace
{

TEST(BothEngines, AgreeOnRandomScenarios)
{
    constexpr std::uint64_t kSeed = 20;
    constexpr int kCases = 400;
    std::cout << "seed " << kSeed << ", " << kCases << " scenarios\n";
    EXPECT_EQ(first_difference(kSeed, kCases), "");
}

}  // namespace
}  // namespace sim::engine::testing

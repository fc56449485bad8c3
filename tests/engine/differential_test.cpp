#include <iostream>

#include <gtest/gtest.h>

#include "engine/random_scenario.hpp"

namespace sim::engine::testing
{
namespace
{

using Numbers = ScenarioDraw::Numbers;

void expect_agreement(Numbers numbers, std::uint64_t seed, int cases)
{
    std::cout << "seed " << seed << ", " << cases << " scenarios\n";
    EXPECT_EQ(first_difference(ScenarioDraw{numbers}, seed, cases), "");
}

TEST(BothEngines, AgreeOnRandomScenarios) { expect_agreement(Numbers::odd, 20, 300); }

TEST(BothEngines, AgreeWhereManyThingsHappenAtOnce) { expect_agreement(Numbers::round, 21, 300); }

}  // namespace
}  // namespace sim::engine::testing

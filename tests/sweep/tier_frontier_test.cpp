#include "sweep/tier_frontier.hpp"

#include <gmock/gmock.h>

#include "core/literals.hpp"
#include "sweep/small_job.hpp"

namespace sim::sweep
{
namespace
{

using namespace sim::literals;
using testing::HasSubstr;

spec::CostSpec round_costs()
{
    spec::CostSpec costs;
    costs.gpu = {10000_USD, 500_W};
    costs.gpu_idle = 100_W;
    costs.node = {20000_USD, 1_kW};
    costs.memory_TB = {1000_USD, 100_W};
    costs.drive = {500_USD, 10_W};
    costs.kilowatt_hour = Money::of(0.5);
    costs.years = 1;
    return costs;
}

/// Eight GPUs take 1 s, four 2 s, ...; half of the time they compute.
replay::Result scaled(const spec::ExperimentSpec& experiment)
{
    replay::Result result;
    result.step = Time::of(8.0 / experiment.workload.plan.data);
    result.resources.push_back({"sm", 8, 0.5, 0.5, 1});
    return result;
}

spec::ExperimentSpec job()
{
    auto job = small_job(Bytes::of(80'000'000'000));
    job.workload.global_batch = 16;
    return job;
}

TEST(TierFrontier, GoesDownToOneReplicaBySteppingInHalves)
{
    const auto frontier = tier_frontier(job(), {}, round_costs(), 1e9, scaled);
    std::vector<int> gpus;
    for (const auto& choice : frontier.choices) {
        gpus.push_back(choice.gpus);
    }
    EXPECT_EQ(gpus, (std::vector<int>{8, 4, 2, 1}));
}

TEST(TierFrontier, PowerEnergyAndCostAreThoseOfTheParts)
{
    // 16 sequences of 2048 a step: 1e6 steps of a second for 32.768e9 tokens.
    const auto frontier = tier_frontier(job(), {}, round_costs(), 32.768e9, scaled);
    const auto& all = frontier.choices.front();
    EXPECT_DOUBLE_EQ(all.job.base(), 1e6);
    EXPECT_DOUBLE_EQ(all.peak.base(), 8 * 500 + 1000);
    // Half busy a GPU draws 100 + 400 / 2.
    const double mean = 8 * 300 + 1000;
    EXPECT_DOUBLE_EQ(all.energy, mean * 1e6);
    EXPECT_DOUBLE_EQ(all.capital.base(), 8 * 10000 + 20000);
    const double hourly = 100000.0 / 8760 + 0.5 * mean / 1000;
    EXPECT_DOUBLE_EQ(all.hourly.base(), hourly);
    EXPECT_NEAR(all.whole.base(), hourly * 1e6 / 3600, 1e-6);
}

TEST(TierFrontier, MemoryThatIsHeldAndDrivesThatAreUsedAreBought)
{
    auto tiered = job();
    tiered.cluster.node.host.storage = spec::StorageSpec{.drive = {}, .count = 4};
    const auto frontier =
        tier_frontier(tiered, {}, round_costs(), 1e9, [](const spec::ExperimentSpec& experiment) {
            auto result = scaled(experiment);
            result.tiers.push_back({.name = "DRAM",
                                    .capacity = 2_TB,
                                    .held = 1_TB,
                                    .tier = spec::DataTier::dram,
                                    .gpus = 8});
            result.tiers.push_back({.name = "drives",
                                    .capacity = 8_TB,
                                    .held = 1_TB,
                                    .years = 2,
                                    .tier = spec::DataTier::storage,
                                    .gpus = 8});
            return result;
        });
    const auto& all = frontier.choices.front();
    EXPECT_DOUBLE_EQ(all.capital.base(), 8 * 10000 + 20000 + 1000 + 4 * 500);
    EXPECT_DOUBLE_EQ(all.peak.base(), 8 * 500 + 1000 + 100 + 4 * 10);
    EXPECT_EQ(all.years, 2);
}

TEST(TierFrontier, WhatDoesNotFitIsNotSimulated)
{
    auto small = small_job(Bytes::of(1));
    const auto frontier = tier_frontier(small, {}, round_costs(), 1e9,
                                        [](const spec::ExperimentSpec&) -> replay::Result {
                                            ADD_FAILURE();
                                            return {};
                                        });
    EXPECT_FALSE(frontier.choices.front().fits);
    EXPECT_THAT(verdict(frontier), HasSubstr("Nothing fits"));
}

TierChoice choice(const char* policy, double cost, double price)
{
    TierChoice one;
    one.gpus = 1;
    one.policy = policy;
    one.fits = true;
    one.job = Time::of(1);
    one.peak = 1_W;
    one.energy = 1;
    one.capital = Money::of(price);
    one.whole = Money::of(cost);
    return one;
}

TEST(TierFrontier, TheVerdictGoesByTheCostOfTheJob)
{
    EXPECT_THAT(verdict({{choice("none", 2, 9), choice("some", 1, 3)}}),
                HasSubstr("Tiering is the better choice"));
    const auto text = verdict({{choice("none", 1, 9), choice("some", 2, 3)}});
    EXPECT_THAT(text, HasSubstr("The cluster is the better choice"));
    EXPECT_THAT(text, HasSubstr("0.33 x the price"));
    EXPECT_THAT(verdict({{choice("some", 2, 3)}}), HasSubstr("Tiering is the only choice"));
}

}  // namespace
}  // namespace sim::sweep

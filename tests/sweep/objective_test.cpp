#include "sweep/objective.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "core/diagnostics.hpp"
#include "results/economics.hpp"
#include "sweep/plans.hpp"
#include "sweep/search.hpp"

namespace sim::sweep
{
namespace
{

using testing::ElementsAre;

/// A done point with a step time, a rent and a memory.
results::Point point(double step, double rent, double memory)
{
    results::Point point;
    for (const auto& metric : spec::metrics()) {
        point.metrics.push_back(metric.name == "step_time"       ? step
                                : metric.name == "cost_per_hour" ? rent
                                : metric.name == "gpu_memory"    ? memory
                                                                 : std::nan(""));
    }
    return point;
}

TEST(Judge, TheFrontIsWhatNothingBeatsInEveryGoal)
{
    const Judge judge{{{{"step_time", false}, {"cost_per_hour", false}}, {}}};
    const auto ranking = judge.rank(
        {point(3, 1, 0), point(2, 2, 0), point(1, 3, 0), point(2, 3, 0), point(3, 2, 0)});
    EXPECT_THAT(ranking.front, ElementsAre(true, true, true, false, false));
    EXPECT_EQ(ranking.best, 2);
}

TEST(Judge, ConstraintsBindAndUnknownNumbersDoNotMeetThem)
{
    const Judge judge{{{{"step_time", false}}, {"gpu_memory < 80e9"}}};
    auto failed = point(1, 1, 1);
    failed.status = results::Status::failed;
    const auto ranking =
        judge.rank({point(1, 0, 90e9), point(2, 0, 70e9), point(1, 0, std::nan("")), failed});
    EXPECT_THAT(ranking.meets, ElementsAre(false, true, false, false));
    EXPECT_EQ(ranking.best, 1);
    EXPECT_TRUE(std::isnan(judge.value(point(1, 0, 90e9))));
}

TEST(Judge, SaysWhichConstraintDoesNotHoldAndByWhichNumber)
{
    const Judge judge{
        {{{"step_time", false}}, {"gpu_memory < 80e9", "cost_per_hour <= 2", "peak_power < 1e6"}}};
    EXPECT_EQ(judge.shortfall(point(1, 3, 90e9)),
              "gpu_memory < 80e9 does not hold: gpu_memory is 9e+10 B; "
              "cost_per_hour <= 2 does not hold: cost_per_hour is 3 USD; "
              "peak_power < 1e6 does not hold: peak_power is not known");
    const Judge one{{{{"step_time", false}}, {"gpu_memory < 80e9"}}};
    EXPECT_EQ(one.shortfall(point(1, 3, 70e9)), "");
}

TEST(Judge, MaximisingTurnsTheOrder)
{
    const Judge judge{{{{"cost_per_hour", true}}, {}}};
    EXPECT_EQ(judge.rank({point(0, 1, 0), point(0, 3, 0), point(0, 2, 0)}).best, 1);
}

TEST(Search, TheBestPartByTheCoarseRoundGoesOnInPlanOrder)
{
    const Judge judge{{{{"step_time", false}}, {}}};
    std::vector<Task> tasks;
    results::ResultSet round;
    for (std::size_t p = 0; p < 5; ++p) {
        tasks.push_back({p, p, {}});
        round.points.push_back(point(static_cast<double>(5 - p), 0, 0));
    }
    round.points[4].status = results::Status::does_not_fit;
    const spec::Search search{"analytic", 0.4};
    std::vector<std::size_t> kept;
    for (const auto& task : promising(tasks, round, judge, search).kept) {
        kept.push_back(task.point);
    }
    EXPECT_THAT(kept, ElementsAre(2, 3));  // two of five; the fastest does not fit
    const auto coarse = coarse_tasks(tasks, search);
    EXPECT_NE(coarse[0].id, tasks[0].id);
    EXPECT_EQ(coarse[0].extra.at(0).text, "analytic");
}

TEST(Search, WhatTheRoundDropsSaysAgainstWhichValue)
{
    const Judge judge{{{{"step_time", false}}, {"gpu_memory < 80e9"}}};
    results::ResultSet set;
    set.points = {point(3, 0, 0), point(2, 0, 0), point(1, 0, 90e9), point(1, 0, 0),
                  point(1, 0, 0)};
    set.points[3].status = results::Status::does_not_fit;
    set.points[3].message = "a GPU needs more";
    set.points[4].status = results::Status::failed;
    set.points[4].message = "the disk is gone";
    std::vector<Task> tasks;
    for (std::size_t p = 0; p < set.points.size(); ++p) {
        tasks.push_back({p, p, {}});
    }
    const auto selection = promising(tasks, set, judge, {"analytic", 0.2});  // one of five
    give_reasons(set, selection, judge);
    EXPECT_EQ(set.points[0].message,
              "analytic round: step_time 3 s is number 2 of 2; number 1, the last that went on, "
              "has step_time 2 s");
    EXPECT_EQ(set.points[0].status, results::Status::left_out);
    EXPECT_EQ(set.points[1].message, "");
    EXPECT_EQ(set.points[2].message,
              "analytic round: gpu_memory < 80e9 does not hold: gpu_memory is 9e+10 B");
    EXPECT_EQ(set.points[3].message, "analytic round: a GPU needs more");
    EXPECT_EQ(set.points[3].status, results::Status::left_out);
    EXPECT_EQ(set.points[4].message, "the disk is gone");
    EXPECT_EQ(set.points[4].status, results::Status::failed);
}

TEST(Economics, AGpuDrawsIdleLimitAndSharesBetween)
{
    const spec::GpuPower power{Power::of(60), Power::of(400)};
    EXPECT_DOUBLE_EQ(results::gpu_power(power, 0, 0).base(), 60);
    EXPECT_DOUBLE_EQ(results::gpu_power(power, 1, 1).base(), 400);
    // Streaming: 60 + 0.45 x 340 = 213 W; an A100 was measured at 224 to 239 W.
    EXPECT_NEAR(results::gpu_power(power, 0, 1).base(), 231, 0.1 * 231);
}

TEST(Economics, EnergyAndRentFollowFromPowerAndTokens)
{
    spec::ExperimentSpec experiment;
    experiment.cluster.nodes = 2;
    experiment.cluster.node.gpus = 8;
    experiment.cluster.node.gpu.power = spec::GpuPower{Power::of(100), Power::of(500)};
    experiment.cluster.costs = {Power::of(1000), 1.5, Money::of(3.6)};
    results::Point done;
    replay::Result result;
    result.step = Time::of(2);
    result.tokens_per_second = 1000;
    result.classes.emplace_back();
    done.runs = {{0, result}};
    done.metrics = results::metric_values(experiment, done);
    // 1.5 x (16 x 500 + 2 x 1000) W; idle GPUs draw 1.5 x (1600 + 2000) W = 5.4 kW, for 2 s.
    EXPECT_DOUBLE_EQ(results::metric(done, "peak_power"), 15'000);
    EXPECT_DOUBLE_EQ(results::metric(done, "energy_per_step"), 10'800);
    EXPECT_DOUBLE_EQ(results::metric(done, "energy_per_token"), 5.4);
    // 16 GPUs at 3.6 USD an hour are 0.016 USD/s; a million tokens take 1000 s.
    EXPECT_DOUBLE_EQ(results::metric(done, "cost_per_hour"), 57.6);
    EXPECT_DOUBLE_EQ(results::metric(done, "cost_per_million_tokens"), 16);
    experiment.cluster.node.gpu.power.reset();
    done.metrics = results::metric_values(experiment, done);
    EXPECT_TRUE(std::isnan(results::metric(done, "energy_per_token")));
}

}  // namespace
}  // namespace sim::sweep

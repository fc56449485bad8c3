#include "sweep/execute.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "core/scratch_folder.hpp"
#include "results/summary.hpp"
#include "sweep/small_job.hpp"

namespace sim::sweep
{
namespace
{

using results::Status;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kRoomy = Bytes::of(80'000'000'000);

/// What the point "case" of a sweep does, by its name.
replay::Result simulated(const spec::ExperimentSpec& job)
{
    if (job.name == "broken") {
        throw Error{"the disk is gone"};
    }
    if (job.name == "bug") {
        throw ContractViolation{"a == b"};
    }
    if (job.name == "crash") {
        raise(SIGKILL);
    }
    if (job.name == "slow") {
        std::this_thread::sleep_for(std::chrono::seconds{60});
    }
    if (job.name == "greedy") {
        static_cast<void>(std::vector<char>(std::size_t{8} << 30, 'x'));
    }
    replay::Result result;
    result.step = Time::of(static_cast<double>(job.seed));
    return result;
}

spec::ExperimentSpec loaded(const std::vector<config::Override>& settings)
{
    const auto& which = settings.at(0).text;
    if (which == "invalid") {
        refuse("cluster.nodes", "is 0", "");
    }
    auto job = small_job(which == "large" ? Bytes::of(1) : kRoomy);
    job.name = which;
    job.cluster.fabric.routing = which == "ecmp" ? spec::Routing::ecmp : spec::Routing::even;
    return job;
}

/// A sweep over cases in a folder of its own.
class Execute : public testing::Test
{
protected:
    Execute() { options_.point.seeds = 3; }

    void cases(const std::vector<std::string>& names)
    {
        sweep_.spec.axes = {{"case", {}, {}}};
        for (const auto& name : names) {
            sweep_.spec.axes[0].values.push_back({name, {{"case", name}}});
        }
    }

    results::ResultSet run()
    {
        const Space space{sweep_};
        const auto tasks = tasks_of(space, plan(space, sweep_));
        const Store store{points(), identity_};
        outcome_ = execute(space, tasks, store, {loaded, simulated}, options_);
        return collect(sweep_, space, tasks, store);
    }

    [[nodiscard]] std::string points() const { return folder_.path("points"); }

    ScratchFolder folder_;
    config::LoadedSweep sweep_;
    Identity identity_{{"base", "line one\nline two"}};
    Options options_;
    Outcome outcome_;
};

TEST_F(Execute, APointThatFailsIsRecordedAndTheRestGoesOn)
{
    cases({"invalid", "broken", "large", "bug", "crash", "even"});
    const auto set = run();
    EXPECT_TRUE(outcome_.whole());
    ASSERT_EQ(set.points.size(), 6);
    EXPECT_EQ(set.points[0].status, Status::failed);
    EXPECT_EQ(set.points[0].message, "cluster.nodes: is 0");
    EXPECT_EQ(set.points[1].message, "the disk is gone");
    EXPECT_EQ(set.points[2].status, Status::does_not_fit);
    EXPECT_THAT(set.points[2].message, HasSubstr("a GPU needs "));
    EXPECT_FALSE(set.points[2].footprint.empty());
    EXPECT_THAT(set.points[3].message, HasSubstr("a bug of Weftsim, please report it: a == b"));
    EXPECT_EQ(set.points[4].message,
              "the process that simulated it was killed by signal 9 (Killed)");
    EXPECT_EQ(set.points[5].status, Status::done);
}

TEST_F(Execute, TimeAndMemoryOfAPointAreBounded)
{
    cases({"slow", "greedy", "even"});
    options_.limits.time = std::chrono::duration<double>{0.3};
    options_.limits.memory = std::int64_t{1} << 30;
    const auto set = run();
    EXPECT_EQ(set.points[0].message, "took longer than 0.3 s (--timeout)");
    EXPECT_THAT(set.points[1].message, HasSubstr("needs more memory"));
    EXPECT_EQ(set.points[2].status, Status::done);
}

TEST_F(Execute, OnlyWhatDependsOnTheSeedRunsManyAndCountsUpFromTheExperimentsOwn)
{
    cases({"even", "ecmp"});
    const auto set = run();
    EXPECT_EQ(set.points[0].runs.size(), 1);
    ASSERT_EQ(set.points[1].runs.size(), 3);
    std::vector<std::uint64_t> seeds;
    for (const auto& one : set.points[1].runs) {
        seeds.push_back(one.seed);
        EXPECT_EQ(one.result.step.base(), static_cast<double>(one.seed));
    }
    EXPECT_THAT(seeds, ElementsAre(7, 8, 9));  // small_job's seed is 7
}

TEST_F(Execute, IgnoringMemorySimulatesWhatDoesNotFit)
{
    cases({"large"});
    options_.point.ignore_memory = true;
    EXPECT_EQ(run().points[0].status, Status::done);
}

TEST_F(Execute, WhatIsDoneIsNotDoneAgainAndWhatFailedIs)
{
    cases({"even", "crash"});
    std::vector<std::size_t> done;
    std::vector<std::size_t> kept;
    options_.progress = [&](const Progress& progress) {
        done.push_back(progress.done);
        kept.push_back(progress.kept);
    };
    static_cast<void>(run());
    EXPECT_EQ(done.back(), 2);
    EXPECT_EQ(kept.back(), 0);
    static_cast<void>(run());
    EXPECT_EQ(done.back(), 1);
    EXPECT_EQ(kept.back(), 1);
    cases({"even", "ecmp"});
    static_cast<void>(run());
    EXPECT_EQ(kept.back(), 1);  // the point that both sweeps have
}

TEST_F(Execute, ManyWorkersGiveTheSamePointsAsOne)
{
    std::vector<std::string> names;
    for (int i = 0; i < 50; ++i) {
        names.push_back("ecmp" + std::to_string(i));
    }
    cases(names);
    const auto one = run();
    Store::discard(points());
    options_.workers = 4;
    const auto four = run();
    for (std::size_t p = 0; p < one.points.size(); ++p) {
        EXPECT_EQ(to_line({p, one.points[p]}), to_line({p, four.points[p]}));
    }
}

TEST_F(Execute, U69NoTwoProcessesEverWriteOneFile)
{
    cases({"a", "b", "c", "d", "e", "f", "g", "h"});
    options_.workers = 4;
    static_cast<void>(run());
    std::size_t shards = 0;
    for (const auto& entry : std::filesystem::directory_iterator{points()}) {
        shards += entry.path().extension() == ".points";
    }
    // Every worker that recorded something has a shard of its own; none shares one.
    EXPECT_GE(shards, 1);
    EXPECT_LE(shards, 4);
    const Shard mine{points()};
    const Shard yours{points()};
    std::size_t more = 0;
    for (const auto& entry : std::filesystem::directory_iterator{points()}) {
        more += entry.path().extension() == ".points";
    }
    EXPECT_EQ(more, shards + 2);
}

TEST_F(Execute, U69AShardThatAnotherSweepReplacedUnderItsNameTakesNoMoreRecords)
{
    const Store first{points(), identity_};
    Shard mine{points()};
    mine.add({1, {}});
    Store::discard(points());  // as `--fresh` of another process does
    const Store second{points(), identity_};
    Shard yours{points()};  // gets the free name
    yours.add({2, {}});
    EXPECT_THROW(mine.add({3, {}}), Error);
    EXPECT_EQ(second.settled(), std::vector<std::uint64_t>{2});
}

TEST_F(Execute, EachPartTakesItsOwnPointsAndTogetherTheyAreAll)
{
    cases({"a", "b", "c", "d", "e"});
    options_.part = {0, 2};
    EXPECT_EQ(run().points[1].message, "not simulated");
    options_.part = {1, 2};
    for (const auto& point : run().points) {
        EXPECT_EQ(point.status, Status::done);
    }
}

TEST_F(Execute, TheFolderOfAnotherSweepIsRefusedWithTheDifference)
{
    cases({"even"});
    static_cast<void>(run());
    identity_[0].second = "line one\nline 2";
    try {
        static_cast<void>(run());
        FAIL() << "taken";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("then \"line two\", now \"line 2\""));
        EXPECT_THAT(error.what(), HasSubstr("--fresh"));
    }
}

TEST_F(Execute, DamagedAndHalfWrittenRecordsCostOnlyThemselves)
{
    cases({"even", "ecmp"});
    static_cast<void>(run());
    const auto shard = points() + "/00000.points";
    std::string text;
    {
        std::ifstream file{shard};
        text.assign(std::istreambuf_iterator<char>{file}, {});
    }
    const auto second = text.find('\n') + 1;
    ASSERT_LT(second, text.size());
    text[second + 40] ^= 1;  // a bit of the second record
    std::ofstream{shard} << text << text.substr(0, second / 2);
    const Store store{points(), identity_};
    EXPECT_EQ(store.settled().size(), 1);
    EXPECT_EQ(run().points[1].status, Status::done);
}

TEST_F(Execute, AFolderThatVanishesStopsTheWorkAndSaysSo)
{
    cases({"a", "b", "c"});
    options_.progress = [&](const Progress& progress) {
        if (progress.done == 1) {
            std::filesystem::remove_all(points());
        }
    };
    const Space space{sweep_};
    const auto tasks = tasks_of(space, plan(space, sweep_));
    const Store store{points(), identity_};
    const auto outcome = execute(space, tasks, store, {loaded, simulated}, options_);
    EXPECT_FALSE(outcome.whole());
    EXPECT_THAT(outcome.cannot_write, HasSubstr("cannot find"));
}

TEST_F(Execute, ASignalDropsWhatRunsAndKeepsTheRest)
{
    cases({"even", "slow"});
    options_.progress = [&](const Progress& progress) {
        if (progress.done == 1) {
            raise(SIGTERM);
        }
    };
    const auto set = run();
    EXPECT_EQ(outcome_.signal, SIGTERM);
    EXPECT_EQ(set.points[0].status, Status::done);
    EXPECT_EQ(set.points[1].message, "not simulated");
}

TEST(Record, ALineGivesTheSummaryBackToTheLastBit)
{
    results::Point point;
    point.gpu_memory = kRoomy;
    point.message = "with \"quotes\" and \n lines";
    replay::Result result;
    result.step = Time::of(1.0 / 3.0);
    result.mfu = 0.1;
    result.binding = "nic";
    result.fingerprint = 0xffffffffffffffffULL;
    result.resources = {{"nic", 8, 1.0 / 7.0, 0.5, 5e10}};
    replay::RankClass first;
    first.multiplicity = 3;
    first.ledger[0] = Time::of(1.0 / 3.0);
    first.communication = {{"data", Time::of(0.1), Time::of(0.2), 1e9, 1e8, "nic"}};
    auto second = first;
    second.multiplicity = 1;
    second.ledger[0] = Time::of(0.3);
    result.classes = {first, second};
    point.runs = {{5, result}};
    const auto line = to_line({42, point});
    const auto back = from_line(line.substr(0, line.size() - 1));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->id, 42);
    EXPECT_EQ(back->point.message, point.message);
    EXPECT_EQ(to_line(*back), line);
    const auto before = results::summarise(point);
    const auto after = results::summarise(back->point);
    EXPECT_EQ(after.step.mean, before.step.mean);
    EXPECT_EQ(after.fingerprint, before.fingerprint);
    // Three ranks of 1/3 s and one of 0.3 s.
    EXPECT_DOUBLE_EQ(after.ledger[0], (3.0 / 3.0 + 0.3) / 4);
    EXPECT_DOUBLE_EQ(after.communication[0].exposed, 0.1);
}

}  // namespace
}  // namespace sim::sweep

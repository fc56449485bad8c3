#include "sweep/execute.hpp"

#include <gmock/gmock.h>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "sweep/small_job.hpp"

namespace sim::sweep
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kRoomy = Bytes::of(80'000'000'000);

/// Axis "case" with the given values; each reaches `load` as the text of key "case".
spec::SweepSpec cases(const std::vector<std::string>& names)
{
    spec::SweepSpec sweep;
    sweep.seeds = 3;
    sweep.axes = {{"case", {}}};
    for (const auto& name : names) {
        sweep.axes[0].values.push_back({name, {{"case", name}}});
    }
    return sweep;
}

Steps steps_of(std::vector<std::uint64_t>& seeds)
{
    Steps steps;
    steps.load = [](const std::vector<config::Override>& settings) {
        const auto& which = settings.at(0).text;
        if (which == "invalid") {
            Diagnostic wrong;
            wrong.key = "cluster.nodes";
            wrong.message = "is 0";
            throw InputError{{wrong}};
        }
        auto job = small_job(which == "large" ? Bytes::of(1) : kRoomy);
        job.name = which;
        job.cluster.fabric.routing = which == "ecmp" ? spec::Routing::ecmp : spec::Routing::even;
        return job;
    };
    steps.simulate = [&seeds](const spec::ExperimentSpec& job) {
        if (job.name == "broken") {
            throw Error{"the disk is gone"};
        }
        if (job.name == "bug") {
            throw ContractViolation{"a bug"};
        }
        seeds.push_back(job.seed);
        replay::Result result;
        result.step = Time::of(1);
        return result;
    };
    steps.progress = [](std::size_t, std::size_t) {};
    return steps;
}

TEST(Execute, APointThatFailsIsRecordedAndTheRestGoesOn)
{
    std::vector<std::uint64_t> seeds;
    const auto set =
        execute(cases({"invalid", "broken", "large", "even"}), steps_of(seeds), Options{});
    using results::Status;
    ASSERT_EQ(set.points.size(), 4);
    EXPECT_EQ(set.points[0].status, Status::failed);
    EXPECT_EQ(set.points[0].message, "cluster.nodes: is 0");
    EXPECT_EQ(set.points[1].message, "the disk is gone");
    EXPECT_EQ(set.points[2].status, Status::does_not_fit);
    EXPECT_THAT(set.points[2].message, HasSubstr("a GPU needs "));
    EXPECT_FALSE(set.points[2].footprint.empty());
    EXPECT_EQ(set.points[3].status, Status::done);
}

TEST(Execute, OnlyWhatDependsOnTheSeedRunsManyAndCountsUpFromTheExperimentsOwn)
{
    std::vector<std::uint64_t> seeds;
    const auto set = execute(cases({"even", "ecmp"}), steps_of(seeds), Options{});
    EXPECT_THAT(seeds, ElementsAre(7, 7, 8, 9));
    EXPECT_EQ(set.points[0].runs.size(), 1);
    EXPECT_EQ(set.points[1].runs.size(), 3);
}

TEST(Execute, IgnoringMemorySimulatesWhatDoesNotFit)
{
    std::vector<std::uint64_t> seeds;
    const auto set = execute(cases({"large"}), steps_of(seeds), Options{.ignore_memory = true});
    EXPECT_EQ(set.points[0].status, results::Status::done);
}

TEST(Execute, ABugIsNotAPointsFailure)
{
    std::vector<std::uint64_t> seeds;
    EXPECT_THROW((void)execute(cases({"bug"}), steps_of(seeds), Options{}), ContractViolation);
}

TEST(Execute, AnAxisNameThatCannotBeWrittenIsRefusedBeforeAnythingRuns)
{
    std::vector<std::uint64_t> seeds;
    auto sweep = cases({"even"});
    sweep.axes[0].name = "step_time";
    EXPECT_THROW((void)execute(sweep, steps_of(seeds), Options{}), InputError);
    EXPECT_TRUE(seeds.empty());
}

TEST(Execute, ProgressCountsToTheNumberOfPoints)
{
    std::vector<std::uint64_t> seeds;
    std::vector<std::size_t> told;
    auto steps = steps_of(seeds);
    steps.progress = [&](std::size_t done, std::size_t points) {
        told.push_back(done);
        EXPECT_EQ(points, 2);
    };
    (void)execute(cases({"even", "invalid"}), steps, Options{});
    EXPECT_THAT(told, ElementsAre(1, 2));
}

}  // namespace
}  // namespace sim::sweep

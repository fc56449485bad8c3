#include "sweep/plans.hpp"

#include <gmock/gmock.h>

#include <set>

#include "config/load.hpp"
#include "core/diagnostics.hpp"
#include "replay/run.hpp"
#include "sweep/execute.hpp"
#include "sweep/objective.hpp"
#include "sweep/search.hpp"

namespace sim::sweep
{
namespace
{

config::LoadedSweep plans_of(const std::vector<spec::PlanKey>& keys)
{
    config::LoadedSweep sweep;
    sweep.spec.bases = {{"small", WEFTSIM_SOURCE_DIR "/tests/cli/small.yaml"}};
    sweep.spec.plans = keys;
    add_plans(sweep);
    return sweep;
}

const std::vector<spec::PlanKey> kSpace{{"workload.parallel.tensor", {}},
                                        {"workload.parallel.pipeline", {"1", "2"}},
                                        {"workload.micro_batch", {"1", "2", "3"}}};

TEST(Plans, OnlyCombinationsThatDivideTheJobAreLeft)
{
    const auto sweep = plans_of(kSpace);
    const auto& axis = sweep.spec.axes.back();
    EXPECT_EQ(axis.name, "plan");
    ASSERT_FALSE(axis.values.empty());
    config::ParsedFiles files;
    for (const auto& value : axis.values) {
        std::vector<config::Override> settings;
        for (const auto& [key, text] : value.settings) {
            settings.push_back({key, text});
        }
        EXPECT_NO_THROW((void)load_point(sweep, settings, files)) << value.label;
    }
    // Every combination that can be read is there: none was dropped for another reason.
    std::size_t readable = 0;
    for (int tensor = 1; tensor <= 8; ++tensor) {
        for (int pipeline = 1; pipeline <= 2; ++pipeline) {
            for (int batch = 1; batch <= 3; ++batch) {
                try {
                    (void)load_point(sweep,
                                     {{"workload.parallel.tensor", std::to_string(tensor)},
                                      {"workload.parallel.pipeline", std::to_string(pipeline)},
                                      {"workload.micro_batch", std::to_string(batch)}},
                                     files);
                    ++readable;
                } catch (const InputError&) {
                }
            }
        }
    }
    EXPECT_EQ(axis.values.size(), readable);
}

TEST(Plans, WithoutAnyPlanTheReasonIsTold)
{
    try {
        (void)plans_of({{"workload.parallel.tensor", {"7"}}});
        FAIL() << "taken";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("none of the combinations is a plan"));
    }
}

TEST(Plans, TheBestThatASearchFindsIsTheExhaustiveBest)
{
    auto sweep = plans_of({{"workload.parallel.tensor", {"1", "2", "4"}},
                           {"workload.parallel.pipeline", {"1", "2"}},
                           {"workload.micro_batch", {"1", "2"}}});
    const auto& plans = sweep.spec.axes.back().values;
    const auto steps = real_steps(sweep, {});
    const Judge judge{{{{"step_time", false}}, {}}};
    const spec::Search search{"analytic", 0.5};
    std::vector<Task> tasks;
    results::ResultSet whole;
    results::ResultSet coarse;
    for (std::size_t p = 0; p < plans.size(); ++p) {
        std::vector<config::Override> settings;
        for (const auto& [key, text] : plans[p].settings) {
            settings.push_back({key, text});
        }
        tasks.push_back({p, p, {}});
        whole.points.push_back(attempt(settings, steps, {}));
        settings.push_back({"fidelity", search.coarse});
        coarse.points.push_back(attempt(settings, steps, {}));
    }
    ASSERT_GE(plans.size(), 4U);
    const auto best = judge.rank(whole.points).best;
    ASSERT_TRUE(best);
    const auto kept = promising(tasks, coarse, judge, search).kept;
    EXPECT_LE(kept.size(), plans.size() / 2 + 1);
    EXPECT_TRUE(std::any_of(kept.begin(), kept.end(),
                            [&](const Task& task) { return task.point == *best; }));
}

}  // namespace
}  // namespace sim::sweep

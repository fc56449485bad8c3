#include "replay/chunk.hpp"

#include <gtest/gtest.h>

#include "collective/steps.hpp"
#include "core/contract.hpp"

namespace sim::replay::test
{
namespace
{

using Hops = std::vector<std::uint32_t>;

/// A ring over all members in each phase.
ChunkPlan rings(std::uint32_t members, std::uint32_t steps, std::uint32_t phases = 1)
{
    ChunkPlan plan;
    plan.members = members;
    plan.phases = phases;
    plan.launch = Time::of(8);
    for (std::uint32_t phase = 0; phase < phases; ++phase) {
        const auto first = phase * members;
        for (std::uint32_t i = 0; i < members; ++i) {
            ChunkHop hop;
            hop.from = i;
            hop.to = (i + 1) % members;
            hop.phase = phase;
            hop.steps = steps;
            hop.first_before = static_cast<std::uint32_t>(plan.before.size());
            hop.befores = 1;
            plan.before.push_back(first + (i + members - 1) % members);
            hop.latency = Time::of(1);
            plan.hops.push_back(hop);
        }
    }
    index_members(plan);
    return plan;
}

Hops taken(ChunkRun& run)
{
    const auto ready = run.ready();
    run.clear_ready();
    return ready;
}

TEST(ChunkRun, AHopBeginsWhenBothItsEndsHaveCome)
{
    const auto plan = rings(3, 2);
    ChunkRun run{plan};
    run.enter(0);
    EXPECT_EQ(taken(run), Hops{});
    run.enter(1);
    EXPECT_EQ(taken(run), (Hops{0}));
    run.enter(2);
    EXPECT_EQ(taken(run), (Hops{1, 2}));
}

TEST(ChunkRun, AStepWaitsForTheChunkItPassesOn)
{
    const auto plan = rings(3, 2);
    ChunkRun run{plan};
    for (std::uint32_t member = 0; member < 3; ++member) {
        run.enter(member);
    }
    EXPECT_EQ(taken(run), (Hops{0, 1, 2}));
    run.step_ended(0);
    EXPECT_EQ(taken(run), Hops{});  // hop 2 has not brought hop 0's next chunk, hop 1 is busy
    run.step_ended(2);
    EXPECT_EQ(taken(run), (Hops{0}));
    run.step_ended(1);
    EXPECT_EQ(taken(run), (Hops{1, 2}));
}

TEST(ChunkRun, AMemberLeavesWhenItsOwnHopsHaveEnded)
{
    const auto plan = rings(4, 1);
    ChunkRun run{plan};
    for (std::uint32_t member = 0; member < 4; ++member) {
        run.enter(member);
    }
    run.step_ended(0);
    EXPECT_EQ(run.take_through(), Hops{});
    run.step_ended(1);
    EXPECT_EQ(run.take_through(), (Hops{1}));
    run.step_ended(2);
    run.step_ended(3);
    EXPECT_EQ(run.take_through(), (Hops{2, 3, 0}));
    EXPECT_TRUE(run.all_through());
}

TEST(ChunkRun, MembersGoOnToTheNextPhaseWithoutTheOthers)
{
    const auto plan = rings(4, 1, 2);
    ChunkRun run{plan};
    for (std::uint32_t member = 0; member < 4; ++member) {
        run.enter(member);
    }
    run.clear_ready();
    run.step_ended(0);
    run.step_ended(1);
    EXPECT_EQ(taken(run), Hops{});  // member 1 alone is in phase 1
    run.step_ended(2);              // now member 2 as well: the hop between them
    EXPECT_EQ(taken(run), (Hops{5}));
}

TEST(ChunkRun, TheLaunchIsPaidBeforeTheFirstStepOfAFirstPhaseHopOnly)
{
    const auto plan = rings(2, 2, 2);
    ChunkRun run{plan};
    run.enter(0);
    run.enter(1);
    EXPECT_EQ(run.latency(0), Time::of(9));
    EXPECT_EQ(run.latency(2), Time::of(1));
    run.step_ended(0);
    EXPECT_EQ(run.latency(0), Time::of(1));
}

TEST(ChunkRun, AMemberComesOnce)
{
    const auto plan = rings(2, 1);
    ChunkRun run{plan};
    run.enter(0);
    EXPECT_THROW(run.enter(0), ContractViolation);
}

TEST(ChunkRun, TheDependencesAreThoseOfTheSteps)
{
    // The chunk that a position sends in step s is the one it received in step s - 1.
    using collective::Kind;
    for (const auto kind : {Kind::all_reduce, Kind::all_gather, Kind::reduce_scatter}) {
        for (std::uint32_t members = 2; members < 9; ++members) {
            const auto steps = collective::ring_steps(kind, members);
            for (std::size_t i = members; i < steps.size(); ++i) {
                const auto from = (steps[i].from + members - 1) % members;
                const auto& before = steps[(steps[i].step - 1) * members + from];
                EXPECT_EQ(before.to, steps[i].from);
                EXPECT_EQ(before.chunk, steps[i].chunk);
            }
        }
    }
}

}  // namespace
}  // namespace sim::replay::test

#include "collective/steps.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "collective/contributions.hpp"

namespace sim::collective
{
namespace
{

using test::Chunk;
using test::execute;
using test::own_chunks;
using test::own_contributions;

TEST(RingSteps, AnAllReduceLeavesEveryContributionOnceInEveryChunkOfEveryMember)
{
    for (std::uint32_t members = 1; members <= 9; ++members) {
        auto buffers = own_contributions(members, members);
        execute(ring_steps(Kind::all_reduce, members), buffers);
        for (const auto& buffer : buffers) {
            for (const auto& chunk : buffer) {
                EXPECT_EQ(chunk, Chunk(members, 1)) << members;
            }
        }
    }
}

TEST(RingSteps, AReduceScatterLeavesEachMemberItsOwnChunkWhole)
{
    for (std::uint32_t members = 2; members <= 9; ++members) {
        auto buffers = own_contributions(members, members);
        execute(ring_steps(Kind::reduce_scatter, members), buffers);
        for (std::uint32_t member = 0; member < members; ++member) {
            EXPECT_EQ(buffers[member][member], Chunk(members, 1)) << members;
        }
    }
}

TEST(RingSteps, AnAllGatherBringsEveryMembersChunkToAll)
{
    for (std::uint32_t members = 2; members <= 9; ++members) {
        auto buffers = own_chunks(members);
        execute(ring_steps(Kind::all_gather, members), buffers);
        for (const auto& buffer : buffers) {
            for (std::uint32_t chunk = 0; chunk < members; ++chunk) {
                Chunk expected(members, 0);
                expected[chunk] = 1;
                EXPECT_EQ(buffer[chunk], expected) << members;
            }
        }
    }
}

TEST(RingSteps, EveryMemberSendsOneChunkToTheNextInEveryStep)
{
    const std::uint32_t members = 5;
    const auto steps = ring_steps(Kind::all_reduce, members);
    // 2 (n-1) steps of n sends.
    EXPECT_EQ(steps.size(), 8U * 5U);
    EXPECT_EQ(ring_step_count(Kind::all_reduce, members), 8U);
    std::set<std::pair<std::uint32_t, std::uint32_t>> sends;
    for (const auto& step : steps) {
        EXPECT_EQ(step.to, (step.from + 1) % members);
        sends.emplace(step.step, step.from);
    }
    EXPECT_EQ(sends.size(), steps.size());
}

}  // namespace
}  // namespace sim::collective

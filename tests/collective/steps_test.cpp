#include "collective/steps.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

namespace sim::collective
{
namespace
{

/// Which members' contributions a chunk on a member holds, each by how often.
using Chunk = std::vector<int>;
using Buffers = std::vector<std::vector<Chunk>>;  // [member][chunk]

/// At first every member holds its own contribution to every chunk.
Buffers own_contributions(std::uint32_t members)
{
    Buffers buffers(members, std::vector<Chunk>(members, Chunk(members, 0)));
    for (std::uint32_t member = 0; member < members; ++member) {
        for (auto& chunk : buffers[member]) {
            chunk[member] = 1;
        }
    }
    return buffers;
}

/// All sends of a step happen at once: what is sent is what was there before the step.
void execute(const std::vector<Step>& steps, Buffers& buffers)
{
    for (std::size_t first = 0; first < steps.size();) {
        const auto before = buffers;
        std::size_t i = first;
        for (; i < steps.size() && steps[i].step == steps[first].step; ++i) {
            const auto& sent = before[steps[i].from][steps[i].chunk];
            auto& received = buffers[steps[i].to][steps[i].chunk];
            for (std::size_t member = 0; member < sent.size(); ++member) {
                received[member] = sent[member] + (steps[i].reduce ? received[member] : 0);
            }
        }
        first = i;
    }
}

TEST(RingSteps, AnAllReduceLeavesEveryContributionOnceInEveryChunkOfEveryMember)
{
    for (std::uint32_t members = 1; members <= 9; ++members) {
        auto buffers = own_contributions(members);
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
        auto buffers = own_contributions(members);
        execute(ring_steps(Kind::reduce_scatter, members), buffers);
        for (std::uint32_t member = 0; member < members; ++member) {
            EXPECT_EQ(buffers[member][member], Chunk(members, 1)) << members;
        }
    }
}

TEST(RingSteps, AnAllGatherBringsEveryMembersChunkToAll)
{
    for (std::uint32_t members = 2; members <= 9; ++members) {
        Buffers buffers(members, std::vector<Chunk>(members, Chunk(members, 0)));
        for (std::uint32_t member = 0; member < members; ++member) {
            buffers[member][member][member] = 1;
        }
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

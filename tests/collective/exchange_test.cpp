#include "collective/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "collective/contributions.hpp"

namespace sim::collective
{
namespace
{

using test::Chunk;
using test::execute;
using test::own_chunks;
using test::own_contributions;

constexpr Algorithm kAll[] = {Algorithm::direct, Algorithm::halving_doubling, Algorithm::bruck,
                              Algorithm::pat};

bool runs(Algorithm algorithm, std::uint32_t members)
{
    return algorithm != Algorithm::halving_doubling || (members & (members - 1)) == 0;
}

TEST(Exchange, AnAllReduceLeavesEveryContributionOnceInEveryChunkOfEveryMember)
{
    for (const auto algorithm : kAll) {
        for (std::uint32_t members = 1; members <= 17; ++members) {
            if (!runs(algorithm, members)) {
                continue;
            }
            auto buffers = own_contributions(members, members);
            execute(exchange_steps(Kind::all_reduce, algorithm, members), buffers);
            for (const auto& buffer : buffers) {
                for (const auto& chunk : buffer) {
                    EXPECT_EQ(chunk, Chunk(members, 1)) << members;
                }
            }
        }
    }
}

TEST(Exchange, AReduceScatterLeavesEachMemberItsOwnChunkWhole)
{
    for (const auto algorithm : kAll) {
        for (std::uint32_t members = 2; members <= 17; ++members) {
            if (!runs(algorithm, members)) {
                continue;
            }
            auto buffers = own_contributions(members, members);
            execute(exchange_steps(Kind::reduce_scatter, algorithm, members), buffers);
            for (std::uint32_t member = 0; member < members; ++member) {
                EXPECT_EQ(buffers[member][member], Chunk(members, 1)) << members;
            }
        }
    }
}

TEST(Exchange, AnAllGatherBringsEveryMembersChunkToAll)
{
    for (const auto algorithm : kAll) {
        for (std::uint32_t members = 2; members <= 17; ++members) {
            if (!runs(algorithm, members)) {
                continue;
            }
            auto buffers = own_chunks(members);
            execute(exchange_steps(Kind::all_gather, algorithm, members), buffers);
            for (const auto& buffer : buffers) {
                for (std::uint32_t chunk = 0; chunk < members; ++chunk) {
                    EXPECT_EQ(buffer[chunk][chunk], 1) << members;
                }
            }
        }
    }
}

/// Chunks a member sends, by step.
std::vector<int> sent_by_first(Algorithm algorithm, std::uint32_t members)
{
    std::vector<int> sent;
    for (const auto& step : exchange_steps(Kind::all_gather, algorithm, members)) {
        sent.resize(std::max<std::size_t>(sent.size(), step.step + 1));
        sent[step.step] += step.from == 0 ? 1 : 0;
    }
    return sent;
}

TEST(Exchange, PartnersThatAreFarComeLastInBruckAndFirstInPat)
{
    // 8 members, 7 chunks in log2(8) = 3 steps; the distance doubles or halves.
    EXPECT_EQ(sent_by_first(Algorithm::bruck, 8), (std::vector<int>{1, 2, 4}));
    EXPECT_EQ(sent_by_first(Algorithm::pat, 8), (std::vector<int>{1, 2, 4}));
    const auto distance = [](Algorithm algorithm) {
        std::vector<std::uint32_t> far;
        for (const auto& step : exchange_steps(Kind::all_gather, algorithm, 8)) {
            far.resize(step.step + 1);
            far[step.step] = (step.to + 8 - step.from) % 8;
        }
        return far;
    };
    EXPECT_EQ(distance(Algorithm::bruck), (std::vector<std::uint32_t>{1, 2, 4}));
    EXPECT_EQ(distance(Algorithm::pat), (std::vector<std::uint32_t>{4, 2, 1}));
}

TEST(Exchange, EveryoneSendsOneChunkLessThanThereAreWhateverTheOrder)
{
    // Nothing comes twice, so (n-1)/n of the buffer is all that leaves a member on average.
    for (const auto algorithm : kAll) {
        for (std::uint32_t members = 2; members <= 17; ++members) {
            if (runs(algorithm, members)) {
                EXPECT_EQ(exchange_steps(Kind::all_gather, algorithm, members).size(),
                          std::size_t{members} * (members - 1));
            }
        }
    }
}

}  // namespace
}  // namespace sim::collective

#include "collective/tree.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collective/contributions.hpp"

namespace sim::collective
{
namespace
{

TEST(DoubleTree, LeavesEveryContributionOnceInBothHalvesOfEveryMember)
{
    for (std::uint32_t members = 2; members <= 33; ++members) {
        auto buffers = test::own_contributions(members, 2);
        test::execute(double_tree_steps(members), buffers);
        for (const auto& buffer : buffers) {
            EXPECT_EQ(buffer[0], test::Chunk(members, 1)) << members;
            EXPECT_EQ(buffer[1], test::Chunk(members, 1)) << members;
        }
    }
}

TEST(DoubleTree, IsAsDeepAsTheLogarithmOfItsMembers)
{
    for (std::uint32_t members : {2U, 4U, 8U, 64U}) {
        const auto trees = double_tree(members);
        std::uint32_t log = 0;
        while (1U << log < members) {
            ++log;
        }
        EXPECT_EQ(depth(trees.first, members), log);
        EXPECT_EQ(depth(trees.second, members), log);
    }
}

std::set<std::uint32_t> parents(const std::vector<TreeEdge>& tree)
{
    std::set<std::uint32_t> found;
    for (const auto& edge : tree) {
        found.insert(edge.parent);
    }
    return found;
}

TEST(DoubleTree, NobodyHasChildrenInBothTreesOfAnEvenNumber)
{
    for (std::uint32_t members = 2; members <= 64; members += 2) {
        const auto trees = double_tree(members);
        for (const auto parent : parents(trees.first)) {
            EXPECT_EQ(parents(trees.second).count(parent), 0U) << members;
        }
    }
}

TEST(DoubleTree, TakesTwiceTheLogarithmInSteps)
{
    // A tree of 16 has the root, its one child and three levels below: 4 up, 4 down.
    EXPECT_EQ(double_tree_steps(16).back().step, 7U);
    EXPECT_EQ(double_tree_steps(2).back().step, 1U);
}

TEST(DoubleTree, NobodyHasMoreThanTwoChildren)
{
    for (std::uint32_t members = 2; members <= 64; ++members) {
        std::vector<int> children(members, 0);
        for (const auto& edge : double_tree(members).first) {
            EXPECT_LE(++children[edge.parent], 2);
        }
    }
}

}  // namespace
}  // namespace sim::collective

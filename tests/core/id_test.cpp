#include "core/id.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_map>

namespace sim
{
namespace
{

TEST(Id, KeepsItsIndexAndItsOrder)
{
    EXPECT_EQ(RankId{7}.index(), 7U);
    EXPECT_LT(RankId{1}, RankId{2});
    EXPECT_EQ(RankId{}, RankId{0});
}

TEST(Id, KindsDoNotMix)
{
    EXPECT_FALSE((std::is_convertible_v<RankId, NodeId>));
    EXPECT_FALSE((std::is_convertible_v<std::size_t, RankId>));
    EXPECT_FALSE((std::is_constructible_v<LinkId, VertexId>));
}

TEST(Id, CanBeAKey)
{
    const std::unordered_map<LinkId, int> ports{{LinkId{3}, 4}};
    EXPECT_EQ(ports.at(LinkId{3}), 4);
}

}  // namespace
}  // namespace sim

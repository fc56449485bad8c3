#include "sweep/grid.hpp"

#include <gmock/gmock.h>

namespace sim::sweep
{
namespace
{

std::string text(const std::vector<config::Override>& point)
{
    std::string all;
    for (const auto& [key, value] : point) {
        all += key + "=" + value + " ";
    }
    return all;
}

TEST(Grid, TheFirstAxisIsSlowestAndAValueMaySetSeveralKeys)
{
    const std::vector<spec::Axis> axes{
        {"nic", {{"400G", {{"b", "400"}, {"g", "5"}}}, {"800G", {{"b", "800"}, {"g", "6"}}}}},
        {"nodes", {{"1", {{"n", "1"}}}, {"2", {{"n", "2"}}}}}};
    std::vector<std::string> points;
    for (const auto& point : grid(axes)) {
        points.push_back(text(point));
    }
    EXPECT_THAT(points, testing::ElementsAre("b=400 g=5 n=1 ", "b=400 g=5 n=2 ", "b=800 g=6 n=1 ",
                                             "b=800 g=6 n=2 "));
}

TEST(Grid, WithoutAxesIsOnePointThatSetsNothing)
{
    EXPECT_THAT(grid({}), testing::ElementsAre(testing::IsEmpty()));
}

}  // namespace
}  // namespace sim::sweep

#include "sweep/grid.hpp"

namespace sim::sweep
{

std::vector<std::vector<config::Override>> grid(const std::vector<spec::Axis>& axes)
{
    std::vector<std::vector<config::Override>> points{{}};
    for (const auto& axis : axes) {
        std::vector<std::vector<config::Override>> longer;
        for (const auto& point : points) {
            for (const auto& value : axis.values) {
                auto& next = longer.emplace_back(point);
                for (const auto& [key, text] : value.settings) {
                    next.push_back({key, text});
                }
            }
        }
        points = std::move(longer);
    }
    return points;
}

}  // namespace sim::sweep

#include "results/document.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::results
{

std::size_t size(const Column& column)
{
    return std::visit([](const auto& values) { return values.size(); }, column);
}

std::size_t Group::length(const std::string& dimension) const
{
    return size(variable(dimension).values);
}

const Variable& Group::variable(const std::string& wanted) const
{
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const Variable& v) { return v.name == wanted; });
    SIM_EXPECT(found != variables.end());
    return *found;
}

}  // namespace sim::results

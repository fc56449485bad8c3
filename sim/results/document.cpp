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
    const auto* found = find(wanted);
    SIM_EXPECT(found != nullptr);
    return *found;
}

const Variable* Group::find(const std::string& wanted) const
{
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const Variable& v) { return v.name == wanted; });
    return found == variables.end() ? nullptr : &*found;
}

const Group* Document::group(const std::string& wanted) const
{
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& g) { return g.name == wanted; });
    return found == groups.end() ? nullptr : &*found;
}

const Variable* Document::find(const std::string& group, const std::string& variable) const
{
    const auto* found = this->group(group);
    return found == nullptr ? nullptr : found->find(variable);
}

std::string Document::text(const std::string& attribute) const
{
    for (const auto& own : attributes) {
        if (own.name == attribute) {
            const auto* text = std::get_if<std::string>(&own.value);
            return text == nullptr ? std::string{} : *text;
        }
    }
    return {};
}

}  // namespace sim::results

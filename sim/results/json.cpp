#include <nlohmann/json.hpp>

#include "results/document.hpp"

namespace sim::results
{
namespace
{

using Json = nlohmann::ordered_json;

template <class T>
Json nested(const std::vector<T>& values, const std::vector<std::size_t>& shape, std::size_t depth,
            std::size_t& next)
{
    if (depth == shape.size()) {
        return Json(T{values[next++]});
    }
    auto array = Json::array();
    for (std::size_t i = 0; i < shape[depth]; ++i) {
        array.push_back(nested(values, shape, depth + 1, next));
    }
    return array;
}

Json to_json(const Group& group, const Variable& variable)
{
    std::vector<std::size_t> shape;
    for (const auto& dimension : variable.dimensions) {
        shape.push_back(group.length(dimension));
    }
    std::size_t next = 0;
    Json json;
    json["dimensions"] = variable.dimensions;
    if (!variable.units.empty()) {
        json["units"] = variable.units;
    }
    json["long_name"] = variable.long_name;
    json["values"] = std::visit([&](const auto& values) { return nested(values, shape, 0, next); },
                                variable.values);
    return json;
}

}  // namespace

std::string to_json(const Document& document, JsonLayout layout)
{
    Json root;
    for (const auto& attribute : document.attributes) {
        root["attributes"][attribute.name] =
            std::visit([](const auto& value) { return Json(value); }, attribute.value);
    }
    for (const auto& group : document.groups) {
        auto& to = root[group.name] = Json::object();
        for (const auto& variable : group.variables) {
            to[variable.name] = to_json(group, variable);
        }
    }
    // File names in the input text may hold any bytes.
    return root.dump(layout == JsonLayout::indented ? 1 : -1, ' ', false,
                     Json::error_handler_t::replace) +
           "\n";
}

}  // namespace sim::results

#include <sstream>

// As the library of Debian 12 was built.
#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

Place place_of(const toml::source_region& region)
{
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

std::string text_of(const toml::node& node)
{
    if (const auto* text = node.as_string()) {
        return text->get();
    }
    std::ostringstream out;
    node.visit([&out](const auto& value) { out << value; });
    return out.str();
}

void add(std::vector<PlanKey>& keys, const std::string& prefix, const toml::table& table)
{
    for (const auto& [key, node] : table) {
        const auto name = prefix + std::string{key.str()};
        if (const auto* inner = node.as_table()) {
            add(keys, name + ".", *inner);
        } else {
            keys.push_back({name, text_of(node), place_of(key.source())});
        }
    }
}

}  // namespace

std::vector<PlanKey> toml_keys(TopologySource& source)
{
    try {
        const auto table = toml::parse(source.text());
        std::vector<PlanKey> keys;
        add(keys, "", table);
        return keys;
    } catch (const toml::parse_error& error) {
        source.error(place_of(error.source()),
                     std::string{"is not TOML: "} + std::string{error.description()});
        return {};
    }
}

}  // namespace sim::formats

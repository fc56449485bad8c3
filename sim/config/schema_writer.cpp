#include "config/schema_writer.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "config/schema_shapes.hpp"

namespace sim::config
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* kExtends = "extends";

std::string name_of(const MapOutline& map)
{
    if (map.owner == nullptr) {
        return "document";
    }
    const auto& around = *map.owner->parent;
    const auto front = around.owner == nullptr ? std::string{} : name_of(around) + ".";
    return front + map.owner->name + (map.is_item ? ".item" : "");
}

Json refer(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

Json present(const std::vector<std::string>& path, std::size_t from, const Json& what)
{
    const bool last = from + 1 == path.size();
    return {{"type", "object"},
            {"required", {path[from]}},
            {"properties", {{path[from], last ? what : present(path, from + 1, what)}}}};
}

Json holds(const Condition& condition)
{
    if (condition.is == Condition::Is::value) {
        return present(condition.key, 0, {{"enum", Json::parse(spellings_of(condition.value))}});
    }
    const auto there = present(condition.key, 0, {{"not", {{"type", "null"}}}});
    if (condition.is == Condition::Is::present) {
        return there;
    }
    // What a mapping on the way extends may hold the key.
    Json any = {there};
    auto way = condition.key;
    while (way.size() > 1) {
        way.back() = kExtends;
        any.push_back(present(way, 0, true));
        way.pop_back();
    }
    return {{"not", {{"anyOf", any}}}};
}

/// A default or an example as JSON.
Json as_json(const std::string& text)
{
    double number = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end && std::isfinite(number)) {
        const auto whole = static_cast<std::int64_t>(number);
        return static_cast<double>(whole) == number ? Json(whole) : Json(number);
    }
    return text == "true" || text == "false" ? Json(text == "true") : Json(text);
}

/// Consequences by what they follow from, in the order in which they were found.
class Rules
{
public:
    void add(const Condition& when, Json then)
    {
        auto condition = holds(when);
        for (auto& rule : rules_) {
            if (rule["if"] == condition) {
                rule["then"].merge_patch(then);
                return;
            }
        }
        rules_.push_back({{"if", std::move(condition)}, {"then", std::move(then)}});
    }

    [[nodiscard]] const Json& all() const { return rules_; }

private:
    Json rules_ = Json::array();
};

class Writer
{
public:
    Json write(const MapOutline& outline, const SchemaText& about)
    {
        each_map(outline, [&](const MapOutline& map) { define(map); });
        const auto name = name_of(outline);
        Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", about.title},
                    {"type", "object"},
                    {"$ref", refer(about.may_lack ? over(name) : name)["$ref"]}};
        definitions_.update(Json::parse(shapes_.definitions()));
        schema["$defs"] = std::move(definitions_);
        return schema;
    }

private:
    enum class Mode { whole, over };

    static std::string over(const std::string& name) { return name + ":over"; }
    static std::string whole(const std::string& name) { return name + ":whole"; }

    void define(const MapOutline& map)
    {
        const auto name = name_of(map);
        definitions_[name] = {{"type", {"object", "null"}},
                              {"if", {{"required", {kExtends}}}},
                              {"then", refer(over(name))},
                              {"else", refer(whole(name))}};
        definitions_[whole(name)] = mapping(map, Mode::whole);
        definitions_[over(name)] = mapping(map, Mode::over);
    }

    Json mapping(const MapOutline& map, Mode mode)
    {
        Json schema{{"type", {"object", "null"}}, {"properties", Json::object()}};
        schema["properties"][kExtends] = {
            {"type", "string"},
            {"description", "a file that is read first; what is written here is laid over it"}};
        for (const auto& key : map.keys) {
            schema["properties"][key->name] = property(*key, mode);
        }
        if (map.closing.always_required) {
            schema["additionalProperties"] = false;
        }
        auto rules = conditions(map, mode);
        if (mode == Mode::whole) {
            require(map, schema, rules);
        }
        if (!rules.empty()) {
            schema["allOf"] = std::move(rules);
        }
        return schema;
    }

    Json property(const KeyOutline& key, Mode mode)
    {
        const bool laid_over = mode == Mode::over;
        std::vector<Json> ways;
        for (const auto& way : shapes_.of(key.shapes, laid_over)) {
            ways.push_back(Json::parse(way));
        }
        if (key.section) {
            const auto name = name_of(*key.section);
            ways.push_back(refer(laid_over ? over(name) : name));
        }
        if (key.items) {
            const auto name = name_of(*key.items);
            ways.push_back({{"type", {"array", "null"}}, {"items", refer(name)}});
            if (laid_over) {
                ways.push_back(Json::parse(by_index(refer(over(name)).dump())));
            }
        }
        auto schema = ways.size() == 1 ? ways.front() : Json{{"anyOf", ways}};
        describe(key, schema);
        return schema;
    }

    static void describe(const KeyOutline& key, Json& schema)
    {
        std::string noun;
        for (const auto& shape : key.shapes) {
            if (noun.empty()) {
                noun = shape.noun;
            }
        }
        const bool written_out =
            !key.example.empty() && key.example.find("...") == key.example.npos;
        const auto example = written_out ? "such as " + key.example : std::string{};
        if (!noun.empty() || !example.empty()) {
            schema["description"] = noun + (noun.empty() || example.empty() ? "" : ", ") + example;
        }
        if (!key.otherwise.empty() && schema.is_object()) {
            schema["default"] = as_json(key.otherwise);
        }
    }

    static Json conditions(const MapOutline& map, Mode mode)
    {
        Rules rules;
        const auto counts = [&](const Condition& condition) {
            return mode == Mode::whole || condition.is != Condition::Is::absent;
        };
        for (const auto& key : map.keys) {
            for (const auto& when : key->refused_when) {
                if (counts(when)) {
                    rules.add(when, {{"properties", {{key->name, false}}}});
                }
            }
        }
        Json known = {kExtends};
        for (const auto& key : map.keys) {
            known.push_back(key->name);
        }
        for (const auto& when : map.closing.required_when) {
            if (counts(when)) {
                rules.add(when, {{"propertyNames", {{"enum", known}}}});
            }
        }
        return rules.all();
    }

    static void require(const MapOutline& map, Json& schema, Json& rules)
    {
        Json needed = Json::array();
        for (const auto& key : map.keys) {
            if (key->always_required && key->spellings.empty()) {
                needed.push_back(key->name);
            } else if (key->always_required) {
                rules.push_back(any_spelling(*key));
            }
            for (const auto& when : key->required_when) {
                rules.push_back({{"if", holds(when)}, {"then", any_spelling(*key)}});
            }
        }
        if (!needed.empty()) {
            schema["required"] = std::move(needed);
        }
    }

    static Json any_spelling(const KeyOutline& key)
    {
        if (key.spellings.empty()) {
            return {{"required", {key.name}}};
        }
        Json any = {{{"required", {key.name}}}};
        for (const auto& name : key.spellings) {
            any.push_back({{"required", {name}}});
        }
        return {{"anyOf", any}};
    }

    ShapeSchemas shapes_;
    Json definitions_ = Json::object();
};

}  // namespace

std::string schema_text(const MapOutline& outline, const SchemaText& about)
{
    return Writer{}.write(outline, about).dump(1) + "\n";
}

}  // namespace sim::config

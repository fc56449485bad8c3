#include "config/schema_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace sim::config
{

namespace
{

using Json = nlohmann::ordered_json;

Json scalar_types() { return {"string", "number", "boolean"}; }

Json spellings(const std::string& text)
{
    Json all = Json::array({text});
    if (text == "true" || text == "false") {
        all.push_back(text == "true");
    }
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end) {
        all.push_back(number);
    }
    return all;
}

Json sourced(const Json& schema)
{
    return {{"type", "object"},
            {"properties", {{"value", schema}, {"source", {{"type", scalar_types()}}}}},
            {"required", {"value"}},
            {"additionalProperties", false}};
}

Json by_index(const Json& item)
{
    return {{"type", "object"},
            {"patternProperties", {{"^[0-9]+$", item}}},
            {"additionalProperties", false},
            {"minProperties", 1}};
}

void flatten(const std::vector<Shape>& shapes, std::vector<Shape>& flat)
{
    for (const auto& shape : shapes) {
        if (shape.kind == Shape::Kind::either) {
            flatten(shape.of, flat);
        } else if (std::find(flat.begin(), flat.end(), shape) == flat.end()) {
            flat.push_back(shape);
        }
    }
}

/// The noun without its article.
std::string bare(const std::string& noun) { return noun.substr(noun.find(' ') + 1); }

/// A key that is null counts as left out.
Json with_source(const Json& any_of)
{
    auto all = any_of;
    all.push_back({{"type", "null"}});
    all.push_back(sourced({{"anyOf", any_of}}));
    return {{"anyOf", all}};
}

Json words_schema(const Shape& shape)
{
    Json known = Json::array();
    for (const auto& word : shape.words) {
        for (const auto& spelling : spellings(word)) {
            known.push_back(spelling);
        }
    }
    return with_source(Json::array({{{"enum", known}}}));
}

Json whole_schema(const Shape& shape)
{
    Json number{{"type", "integer"}};
    if (shape.least) {
        number["minimum"] = *shape.least;
    }
    if (shape.most) {
        number["maximum"] = *shape.most;
    }
    return with_source({number, {{"type", "string"}, {"pattern", "^-?[0-9]+$"}}});
}

Json pattern_schema(const Shape& shape)
{
    Json texts = {{{"type", "string"}, {"pattern", shape.pattern}}};
    if (shape.pattern.find("(0|") != std::string::npos) {
        texts.push_back({{"const", 0}});
    }
    return with_source(texts);
}

}  // namespace

std::string spellings_of(const std::string& text) { return spellings(text).dump(); }

std::string by_index(const std::string& item) { return by_index(Json::parse(item)).dump(); }

class ShapeSchemas::Maker
{
public:
    [[nodiscard]] std::vector<Json> of(const std::vector<Shape>& shapes, bool over);
    [[nodiscard]] const Json& definitions() const { return definitions_; }

private:
    [[nodiscard]] Json one(const Shape& shape);
    [[nodiscard]] Json alternatives(const std::vector<Shape>& shapes);
    [[nodiscard]] Json fields(const Shape& shape);
    [[nodiscard]] Json defined(const std::string& name, const Json& schema);

    Json definitions_ = Json::object();
};

std::vector<Json> ShapeSchemas::Maker::of(const std::vector<Shape>& shapes, bool over)
{
    std::vector<Shape> flat;
    flatten(shapes, flat);
    std::vector<Json> schemas;
    for (const auto& shape : flat) {
        schemas.push_back(one(shape));
        if (shape.kind == Shape::Kind::list) {
            schemas.push_back(sourced(schemas.back()));
            if (over) {
                schemas.push_back(by_index(alternatives(shape.of)));
            }
        }
    }
    return schemas;
}

Json ShapeSchemas::Maker::alternatives(const std::vector<Shape>& shapes)
{
    const auto schemas = of(shapes, false);
    return schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
}

Json ShapeSchemas::Maker::one(const Shape& shape)
{
    switch (shape.kind) {
        case Shape::Kind::text:
            return defined("text", with_source(Json::array({{{"type", scalar_types()}}})));
        case Shape::Kind::real:
            return defined("number",
                           with_source({{{"type", "number"}},
                                        {{"type", "string"},
                                         {"pattern", fmt::format("^-?{}$", kNumberPattern)}}}));
        case Shape::Kind::whole:
            return defined("whole number", whole_schema(shape));
        case Shape::Kind::pattern:
            return defined(bare(shape.noun), pattern_schema(shape));
        case Shape::Kind::word:
            return shape.words == std::vector<std::string>{"true", "false"}
                       ? defined("true or false", words_schema(shape))
                       : words_schema(shape);
        case Shape::Kind::list:
            return {{"type", {"array", "null"}}, {"items", alternatives(shape.of)}};
        case Shape::Kind::map:
            return {{"type", {"object", "null"}}, {"additionalProperties", alternatives(shape.of)}};
        case Shape::Kind::fields:
            return fields(shape);
        case Shape::Kind::either:
            return alternatives(shape.of);
        case Shape::Kind::any:
        case Shape::Kind::unknown:
            break;
    }
    return true;
}

Json ShapeSchemas::Maker::fields(const Shape& shape)
{
    Json schema{{"type", "object"}, {"properties", Json::object()}};
    for (std::size_t i = 0; i < shape.words.size(); ++i) {
        schema["properties"][shape.words[i]] = alternatives({shape.of[i]});
    }
    if (!shape.needed.empty()) {
        schema["required"] = shape.needed;
    }
    schema["additionalProperties"] = false;
    return schema;
}

Json ShapeSchemas::Maker::defined(const std::string& name, const Json& schema)
{
    auto unique = name;
    std::replace(unique.begin(), unique.end(), ' ', '_');
    const auto first = unique;
    for (int next = 2; definitions_.contains(unique) && definitions_[unique] != schema; ++next) {
        unique = fmt::format("{}_{}", first, next);
    }
    definitions_[unique] = schema;
    return {{"$ref", "#/$defs/" + unique}};
}

ShapeSchemas::ShapeSchemas() : maker_{std::make_unique<Maker>()} {}
ShapeSchemas::~ShapeSchemas() = default;

std::vector<std::string> ShapeSchemas::of(const std::vector<Shape>& shapes, bool over)
{
    std::vector<std::string> texts;
    for (const auto& schema : maker_->of(shapes, over)) {
        texts.push_back(schema.dump());
    }
    return texts;
}

std::string ShapeSchemas::definitions() const { return maker_->definitions().dump(); }

}  // namespace sim::config

#include "config/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>
#include <utility>

namespace sim::config
{

bool operator==(const Shape& a, const Shape& b)
{
    const auto of = [](const Shape& s) {
        return std::tie(s.kind, s.noun, s.pattern, s.words, s.of, s.needed, s.least, s.most);
    };
    return of(a) == of(b);
}

Shape any_shape() { return {.kind = Shape::Kind::any}; }

Shape text_shape(std::string sample)
{
    return {.kind = Shape::Kind::text, .sample = std::move(sample)};
}

Shape word_shape(std::vector<std::string> words)
{
    Shape shape{.kind = Shape::Kind::word};
    shape.words = std::move(words);
    shape.sample = shape.words.front();
    return shape;
}

Shape list_shape(Shape item)
{
    Shape shape{.kind = Shape::Kind::list};
    shape.of.push_back(std::move(item));
    return shape;
}

Shape map_shape(Shape value)
{
    Shape shape{.kind = Shape::Kind::map};
    shape.of.push_back(std::move(value));
    return shape;
}

Shape fields_shape(const std::vector<Field>& fields)
{
    Shape shape{.kind = Shape::Kind::fields};
    for (const auto& field : fields) {
        shape.words.push_back(field.name);
        shape.of.push_back(field.shape);
        if (field.needed) {
            shape.needed.push_back(field.name);
        }
    }
    return shape;
}

Shape either_shape(std::vector<Shape> shapes)
{
    Shape shape{.kind = Shape::Kind::either};
    shape.of = std::move(shapes);
    return shape;
}

Shape unit_shape(const UnitFamily& family, std::string sample)
{
    Shape shape{.kind = Shape::Kind::pattern};
    shape.noun = family.noun;
    shape.pattern = fmt::format("^[ \\t]*(0|{}[ \\t]*({}))[ \\t]*$", kNumberPattern,
                                fmt::join(spellings(family), "|"));
    shape.sample = std::move(sample);
    return shape;
}

}  // namespace sim::config

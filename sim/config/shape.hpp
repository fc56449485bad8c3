#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/unit.hpp"

namespace sim::config
{

/// What a value may be as far as it alone tells: what a JSON Schema can say of it.
struct Shape {
    enum class Kind : std::uint8_t {
        unknown,
        any,
        text,     ///< one value, whatever it is
        whole,    ///< from `least` to `most`
        real,     ///< a number
        word,     ///< one of `words`
        pattern,  ///< a text that `pattern` fits
        list,     ///< of `of.front()`
        map,      ///< any keys, each with a value of `of.front()`
        fields,   ///< the keys `words`, key i with a value of `of[i]`
        either,   ///< one of `of`
    };

    Kind kind = Kind::unknown;
    std::string noun{};  ///< "a bandwidth"
    std::string pattern{};
    std::vector<std::string> words{};
    std::vector<Shape> of{};
    std::vector<std::string> needed{};  ///< of the keys `words`
    std::optional<std::int64_t> least{};
    std::optional<std::int64_t> most{};
    std::string sample{};  ///< a text it takes

    /// Samples aside.
    friend bool operator==(const Shape& a, const Shape& b);
};

/// A key of a `fields` shape.
struct Field {
    std::string name;
    Shape shape;
    bool needed = false;
};

[[nodiscard]] Shape any_shape();
[[nodiscard]] Shape text_shape(std::string sample);
[[nodiscard]] Shape word_shape(std::vector<std::string> words);
[[nodiscard]] Shape list_shape(Shape item);
[[nodiscard]] Shape map_shape(Shape value);
[[nodiscard]] Shape fields_shape(const std::vector<Field>& fields);
[[nodiscard]] Shape either_shape(std::vector<Shape> shapes);
/// What `parse` takes of a family of units: a number with one of them, or a lone 0.
[[nodiscard]] Shape unit_shape(const UnitFamily& family, std::string sample);

/// A number as std::from_chars reads it, as a regular expression that JavaScript and Python know.
inline constexpr const char* kNumberPattern = "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?";

}  // namespace sim::config

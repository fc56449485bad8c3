#include "config/scalar.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace sim::config
{

namespace
{

/// The whole text as a number, or what is wrong with it.
template <class T>
Parsed<T> number(const std::string& text, const char* what, const std::string& example)
{
    T value{};
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    const auto hint = fmt::format("write a number such as {}", example);
    if (error == std::errc::result_out_of_range) {
        return {std::nullopt, fmt::format("\"{}\" is out of range", text), hint};
    }
    if (error != std::errc{} || stop != end) {
        return {std::nullopt, fmt::format("\"{}\" is not {}", text, what), hint};
    }
    return {value, {}, {}};
}

template <class T>
Shape whole_shape()
{
    Shape shape{.kind = Shape::Kind::whole};
    if constexpr (sizeof(T) < sizeof(std::int64_t)) {
        shape.least = std::numeric_limits<T>::min();
        shape.most = std::numeric_limits<T>::max();
    } else if constexpr (std::is_unsigned_v<T>) {
        shape.least = 0;
    }
    return shape;
}

template <class T>
Scalar<T> integer(std::string example, const char* what)
{
    return {[example, what](const std::string& text) { return number<T>(text, what, example); },
            example, whole_shape<T>};
}

}  // namespace

Scalar<std::int64_t> whole_number(std::string example)
{
    return integer<std::int64_t>(std::move(example), "a whole number");
}

Scalar<int> count(std::string example)
{
    return integer<int>(std::move(example), "a whole number");
}

Scalar<std::uint64_t> seed_number(std::string example)
{
    return integer<std::uint64_t>(std::move(example), "a whole number of zero or more");
}

Scalar<double> real_number(std::string example)
{
    return {[example](const std::string& text) -> Parsed<double> {
                auto parsed = number<double>(text, "a number", example);
                if (parsed && !std::isfinite(*parsed.value)) {
                    return {std::nullopt, fmt::format("\"{}\" is not a finite number", text),
                            fmt::format("write a number such as {}", example)};
                }
                return parsed;
            },
            example, [] { return Shape{.kind = Shape::Kind::real, .sample = "0.5"}; }};
}

Scalar<bool> truth(std::string example)
{
    return {[](const std::string& text) -> Parsed<bool> {
                if (text == "true" || text == "false") {
                    return {text == "true", {}, {}};
                }
                return {std::nullopt, fmt::format("\"{}\" is neither true nor false", text),
                        "write true or false"};
            },
            std::move(example),
            [] {
                return word_shape({"true", "false"});
            }};
}

Scalar<std::string> words(std::string example)
{
    return {[](const std::string& text) -> Parsed<std::string> {
                if (text.empty()) {
                    return {std::nullopt, "is empty", "write a word"};
                }
                return {text, {}, {}};
            },
            example, [example] { return text_shape(example); }};
}

}  // namespace sim::config

#include "config/scalar.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

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
Scalar<T> integer(std::string example, const char* what)
{
    return {[example, what](const std::string& text) { return number<T>(text, what, example); },
            example};
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
            example};
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
            std::move(example)};
}

Scalar<std::string> words(std::string example)
{
    return {[](const std::string& text) -> Parsed<std::string> {
                if (text.empty()) {
                    return {std::nullopt, "is empty", "write a word"};
                }
                return {text, {}, {}};
            },
            std::move(example)};
}

}  // namespace sim::config

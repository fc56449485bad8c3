#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "config/shape.hpp"
#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"
#include "core/unit.hpp"

namespace sim::config
{

/// How a kind of value is read, one to show to whoever left it out, and what may be written.
template <class T>
struct Scalar {
    std::function<Parsed<T>(const std::string&)> read;
    std::string example;
    std::function<Shape()> shape;  ///< made when a schema is
};

template <class Q>
[[nodiscard]] Scalar<Q> quantity(std::string example)
{
    return {[](const std::string& text) { return parse<Q>(text); }, example,
            [example] { return unit_shape(unit_family<Q>(), example); }};
}

[[nodiscard]] Scalar<std::int64_t> whole_number(std::string example);
[[nodiscard]] Scalar<int> count(std::string example);
[[nodiscard]] Scalar<std::uint64_t> seed_number(std::string example);
[[nodiscard]] Scalar<double> real_number(std::string example);
[[nodiscard]] Scalar<bool> truth(std::string example);
[[nodiscard]] Scalar<std::string> words(std::string example);

/// One of a list of words.
template <class T>
[[nodiscard]] Scalar<T> choice(const std::vector<std::pair<std::string, T>>& table)
{
    return {[table](const std::string& text) -> Parsed<T> {
                std::vector<std::string> known;
                std::string list;
                for (const auto& [word, value] : table) {
                    if (word == text) {
                        return {value, {}, {}};
                    }
                    known.push_back(word);
                    list += (list.empty() ? "" : ", ") + word;
                }
                const auto near = closest(text, known);
                return {std::nullopt, "\"" + text + "\" is not one of " + list,
                        near.empty() ? near : "did you mean \"" + near + "\"?"};
            },
            table.front().first,
            [table] {
                std::vector<std::string> words;
                for (const auto& [word, value] : table) {
                    words.push_back(word);
                }
                return word_shape(std::move(words));
            }};
}

}  // namespace sim::config

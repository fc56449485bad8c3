#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"

namespace sim::config
{

/// How a kind of value is read, and one to show to whoever left it out.
template <class T>
struct Scalar {
    std::function<Parsed<T>(const std::string&)> read;
    std::string example;
};

template <class Q>
[[nodiscard]] Scalar<Q> quantity(std::string example)
{
    return {[](const std::string& text) { return parse<Q>(text); }, std::move(example)};
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
            table.front().first};
}

}  // namespace sim::config

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collective/schedule.hpp"

namespace sim::collective
{

[[nodiscard]] std::string_view name(Kind kind);
[[nodiscard]] std::string_view name(Algorithm algorithm);
[[nodiscard]] std::string_view name(spec::Protocol protocol);

/// Every word a person can write, with the name `name` gives it first of its spellings.
[[nodiscard]] const std::vector<std::pair<std::string, Kind>>& kind_words();

/// Throw InputError at `key` with the nearest word.
[[nodiscard]] Kind parse_kind(const std::string& word, const std::string& key);
[[nodiscard]] Algorithm parse_algorithm(const std::string& word, const std::string& key);

}  // namespace sim::collective

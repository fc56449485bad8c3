#include "core/hostlist.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/split.hpp"

namespace sim
{

namespace
{

constexpr std::size_t kMostDigits = 9;

/// Commas that are not inside brackets.
std::vector<std::string_view> split_names(std::string_view text)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (text[i] == ',' && depth == 0) {
            parts.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::optional<int> to_count(std::string_view text)
{
    int count = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    const bool whole = error == std::errc{} && stop == end && !text.empty() && text[0] != '-';
    return whole ? std::optional{count} : std::nullopt;
}

/// "01-03" or "7", appended to every name so far.
bool add_range(std::string_view range, std::vector<std::string>& numbers)
{
    const auto dash = range.find('-');
    const auto first_text = range.substr(0, dash);
    const auto last_text = dash == range.npos ? first_text : range.substr(dash + 1);
    const auto first = to_count(first_text);
    const auto last = to_count(last_text);
    if (!first || !last || *last < *first || first_text.size() > kMostDigits ||
        numbers.size() + static_cast<std::size_t>(*last - *first) >= kMostHosts) {
        return false;
    }
    for (int i = *first; i <= *last; ++i) {
        numbers.push_back(fmt::format("{:0{}}", i, first_text.size()));
    }
    return true;
}

std::optional<std::vector<std::string>> expand_name(std::string_view text)
{
    std::vector<std::string> names{""};
    while (!text.empty()) {
        const auto open = text.find('[');
        const auto literal = text.substr(0, open);
        if (literal.find(']') != literal.npos) {
            return std::nullopt;
        }
        std::vector<std::string> pieces{""};
        text.remove_prefix(literal.size());
        if (!text.empty()) {
            const auto close = text.find(']');
            if (close == text.npos) {
                return std::nullopt;
            }
            pieces.clear();
            for (const auto range : split(text.substr(1, close - 1), ',')) {
                if (!add_range(range, pieces)) {
                    return std::nullopt;
                }
            }
            text.remove_prefix(close + 1);
        }
        if (names.size() * pieces.size() > kMostHosts) {
            return std::nullopt;
        }
        std::vector<std::string> longer;
        for (const auto& name : names) {
            for (const auto& piece : pieces) {
                longer.push_back(name + std::string{literal} + piece);
            }
        }
        names = std::move(longer);
    }
    return names;
}

}  // namespace

std::optional<std::vector<std::string>> expand_hostlist(std::string_view text)
{
    std::vector<std::string> all;
    for (const auto part : split_names(text)) {
        const auto names = expand_name(part);
        if (part.empty() || !names || all.size() + names->size() > kMostHosts) {
            return std::nullopt;
        }
        all.insert(all.end(), names->begin(), names->end());
    }
    return all;
}

}  // namespace sim

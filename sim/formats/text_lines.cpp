#include "formats/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sim::formats
{

namespace
{

constexpr std::size_t kMostMistakes = 20;
constexpr std::size_t kLongestShown = 160;

std::vector<std::string_view> split_words(std::string_view text)
{
    std::vector<std::string_view> words;
    constexpr std::string_view kBlank = " \t\r\f\v";
    for (std::size_t at = 0; (at = text.find_first_not_of(kBlank, at)) != text.npos;) {
        const auto end = std::min(text.find_first_of(kBlank, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

}  // namespace

std::vector<TextLine> split_lines(std::string_view text)
{
    std::vector<TextLine> lines;
    for (int number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        auto words = split_words(line);
        if (!words.empty()) {
            lines.push_back({number, line, std::move(words)});
        }
    }
    return lines;
}

void TextComplaints::add(const TextLine& line, std::string message, std::string hint)
{
    if (wrong_.size() >= kMostMistakes) {
        return;
    }
    Diagnostic diagnostic;
    diagnostic.file = file_;
    diagnostic.line = line.number;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostic.source_line = line.text.substr(0, kLongestShown);
    wrong_.push_back(std::move(diagnostic));
}

std::int64_t TextComplaints::whole(const TextLine& line, std::string_view word, const char* what,
                                   std::int64_t least)
{
    std::int64_t value = 0;
    const auto [rest, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc{} || rest != word.data() + word.size() || value < least) {
        add(line, fmt::format("{} is \"{}\", not a whole number of {} or more", what, word, least));
        return least;
    }
    return value;
}

void TextComplaints::throw_if_any()
{
    if (has_errors(wrong_)) {
        throw InputError{std::move(wrong_)};
    }
}

}  // namespace sim::formats

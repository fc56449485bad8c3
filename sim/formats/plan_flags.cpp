#include <algorithm>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

/// Quotes fall away, and what only the shell needs: continued lines, ends of arrays.
std::string bare(std::string_view word)
{
    std::string text{word};
    while (!text.empty() && (text.back() == '\\' || text.back() == ')' || text.back() == ',')) {
        text.pop_back();
    }
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
        text.back() == text.front()) {
        text = text.substr(1, text.size() - 2);
    }
    return text;
}

bool is_flag(std::string_view word)
{
    return word.size() > 2 && word.substr(0, 2) == "--" && word[2] != '-';
}

PlanKey flag(std::string_view word, Place place)
{
    const auto equals = word.find('=');
    PlanKey key;
    key.place = place;
    key.key = bare(word.substr(2, equals == std::string_view::npos ? equals : equals - 2));
    std::replace(key.key.begin(), key.key.end(), '_', '-');
    if (equals != std::string_view::npos) {
        key.value = bare(word.substr(equals + 1));
    }
    return key;
}

/// A line of the shell without its comment.
std::string_view without_comment(std::string_view line)
{
    const auto hash = line.find('#');
    const bool comment = hash != std::string_view::npos && (hash == 0 || line[hash - 1] == ' ');
    return comment ? line.substr(0, hash) : line;
}

}  // namespace

std::vector<PlanKey> flag_keys(const TopologySource& source)
{
    std::vector<PlanKey> keys;
    bool open = false;  // the last flag still waits for a value
    int number = 0;
    for (const auto line : source.lines()) {
        for (const auto& word : words_of(without_comment(line), ++number)) {
            if (is_flag(word.text)) {
                keys.push_back(flag(word.text, word.place));
                open = keys.back().value.empty();
            } else if (open && !bare(word.text).empty()) {
                keys.back().value = bare(word.text);
                open = false;
            }
        }
    }
    for (auto& key : keys) {
        if (key.value.empty()) {
            key.value = "true";
        }
    }
    return keys;
}

}  // namespace sim::formats

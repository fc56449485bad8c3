#include "formats/plan_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/split.hpp"

namespace sim::formats
{

namespace
{

constexpr double kLargestCount = 1e15;

/// Left to the program that reads the file, or to the shell around it.
bool is_open(const std::string& value)
{
    return value == "auto" || value.empty() || value == "null" || value == "None" ||
           value.find('$') != std::string::npos;
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
        return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
    });
    return text;
}

bool is_one_of(const std::string& value, const std::string& list)
{
    const auto words = split(list, '|');
    return std::find(words.begin(), words.end(), lower(value)) != words.end();
}

bool matches(const std::string& key, std::string_view name)
{
    if (!name.empty() && (name.back() == '.' || name.back() == '*')) {
        const auto prefix = name.back() == '*' ? name.substr(0, name.size() - 1) : name;
        return key.compare(0, prefix.size(), prefix) == 0;
    }
    return key == name;
}

}  // namespace

std::optional<std::string> ImportedPlan::find(std::string_view key) const
{
    for (const auto& setting : settings) {
        if (setting.key == key) {
            return setting.value;
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> ImportedPlan::number(std::string_view key) const
{
    const auto text = find(key);
    const auto value = text ? to_real(*text) : std::nullopt;
    const bool whole =
        value && *value >= 0 && *value <= kLargestCount && std::floor(*value) == *value;
    return whole ? std::optional{static_cast<std::int64_t>(*value)} : std::nullopt;
}

void ImportedPlan::set(std::string key, std::string value, std::string origin)
{
    for (auto& setting : settings) {
        if (setting.key == key) {
            setting.value = std::move(value);
            setting.origin = std::move(origin);
            return;
        }
    }
    settings.push_back({std::move(key), std::move(value), std::move(origin)});
}

PlanKeys::PlanKeys(TopologySource& source, ImportedPlan& plan, std::vector<PlanKey> keys)
    : source_{source}, plan_{plan}, keys_{std::move(keys)}
{
}

/// The last one wins, as in a command line or a file merged over another.
PlanKey* PlanKeys::find(std::string_view name)
{
    PlanKey* found = nullptr;
    for (auto& key : keys_) {
        if (key.key == name) {
            key.taken = true;
            found = &key;
        }
    }
    return found;
}

bool PlanKeys::written(const char* name) const
{
    return std::any_of(keys_.begin(), keys_.end(),
                       [&](const PlanKey& key) { return key.key == name; });
}

std::optional<std::string> PlanKeys::take(std::initializer_list<const char*> names)
{
    std::optional<std::string> value;
    for (const auto* name : names) {
        const auto* found = find(name);
        if (found != nullptr && !value && !is_open(found->value)) {
            value = found->value;
        }
    }
    return value;
}

std::optional<std::int64_t> PlanKeys::count(std::initializer_list<const char*> names)
{
    const auto text = take(names);
    if (!text) {
        return std::nullopt;
    }
    auto digits = *text;
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    const auto value = to_real(digits);
    if (!value || std::floor(*value) != *value || std::abs(*value) > kLargestCount) {
        for (const auto* name : names) {
            if (written(name)) {
                source_.error(find(name)->place,
                              fmt::format("{}: \"{}\" is not a whole number", name, *text));
                break;
            }
        }
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
}

std::optional<bool> PlanKeys::truth(std::initializer_list<const char*> names)
{
    const auto text = take(names);
    if (!text) {
        return std::nullopt;
    }
    return is_one_of(*text, "true|yes|1|on");
}

void PlanKeys::copy(const char* theirs, const char* ours)
{
    if (const auto value = count({theirs})) {
        set(ours, std::to_string(*value), theirs);
    }
}

void PlanKeys::set(const char* ours, std::string value, std::string origin)
{
    plan_.set(ours, std::move(value), std::move(origin));
}

void PlanKeys::warn(const char* theirs, std::string message, std::string hint)
{
    const auto* found = find(theirs);
    source_.warn(found == nullptr ? Place{} : found->place, fmt::format("{}: {}", theirs, message),
                 std::move(hint));
}

void PlanKeys::warn_of(std::initializer_list<Unmodelled> table)
{
    for (const auto& entry : table) {
        const auto value = take({entry.key});
        if (value && !is_one_of(*value, entry.off)) {
            warn(entry.key, fmt::format("\"{}\" is not taken over: {}", *value, entry.effect));
        }
    }
}

void PlanKeys::harmless(std::span<const char* const> names)
{
    for (auto& key : keys_) {
        key.taken = key.taken || std::any_of(names.begin(), names.end(), [&](const char* name) {
                        return matches(key.key, name);
                    });
    }
}

void PlanKeys::finish()
{
    std::set<std::string> told;
    for (const auto& key : keys_) {
        if (!key.taken && told.insert(key.key).second) {
            source_.warn(key.place,
                         fmt::format("{}: not known here, and not taken over; whether it changes "
                                     "time or memory is not known either",
                                     key.key));
        }
    }
}

}  // namespace sim::formats

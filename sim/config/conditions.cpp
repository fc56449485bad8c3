#include "config/conditions.hpp"

#include <algorithm>
#include <optional>

#include "config/trial_document.hpp"

namespace sim::config
{

namespace
{

/// The names from the mapping down to the key; nothing when it is elsewhere, or inside a list.
std::optional<std::vector<std::string>> path_below(const MapOutline& around, const KeyOutline& key)
{
    std::vector<std::string> path{key.name};
    const auto* at = key.parent;
    while (at != &around) {
        if (at->owner == nullptr || at->is_item) {
            return std::nullopt;
        }
        path.insert(path.begin(), at->owner->name);
        at = at->owner->parent;
    }
    return path;
}

/// Too many to be tried beside every way of another key: the families of models.
bool has_many_ways(const KeyOutline& key)
{
    constexpr std::size_t kMany = 20;
    return ways_to_write(key).size() > kMany;
}

bool has_word(const Shape& shape, const std::string& text)
{
    if (shape.kind == Shape::Kind::either) {
        return std::any_of(shape.of.begin(), shape.of.end(),
                           [&](const Shape& one) { return has_word(one, text); });
    }
    return shape.kind == Shape::Kind::whole ||
           (shape.kind == Shape::Kind::word &&
            std::find(shape.words.begin(), shape.words.end(), text) != shape.words.end());
}

bool tells_values_apart(const KeyOutline& key, const std::string& text)
{
    return std::any_of(key.shapes.begin(), key.shapes.end(),
                       [&](const Shape& shape) { return has_word(shape, text); });
}

}  // namespace

bool is_possible(const Observation& seen)
{
    return std::all_of(seen.doubts.begin(), seen.doubts.end(),
                       [](const Doubt& doubt) { return may_be(*doubt.key, doubt.value); });
}

std::uint16_t Conditions::number_of(const std::string& value)
{
    if (value.empty()) {
        return 0;
    }
    const auto next = static_cast<std::uint16_t>(texts_.size());
    const auto [known, fresh] = numbers_.emplace(value, next);
    if (fresh) {
        texts_.push_back(value);
    }
    return known->second;
}

void Conditions::place(int number, int closing)
{
    closing_.resize(std::max(closing_.size(), static_cast<std::size_t>(number) + 1));
    closing_[static_cast<std::size_t>(number)] = closing;
}

/// A key that was met later was not asked for before.
Sight Conditions::sight(const Observation& seen, int number) const
{
    const auto index = static_cast<std::size_t>(number);
    if (index < seen.keys.size()) {
        return seen.keys[index];
    }
    const auto closing = static_cast<std::size_t>(closing_[index]);
    const bool around = closing < seen.keys.size() && seen.keys[closing].around;
    return {around, false, false, 0};
}

void Conditions::compare(KeyOutline& turned, const std::vector<Observation>& ways)
{
    std::map<int, Sight> first;
    for (const auto& way : ways) {
        const int numbers = is_possible(way) ? static_cast<int>(closing_.size()) : 0;
        for (int number = 0; number < numbers; ++number) {
            const auto now = sight(way, number);
            if (!now.around || number == turned.number) {
                continue;
            }
            const auto [known, fresh] = first.emplace(number, now);
            const auto& before = known->second;
            if (!fresh && (before.asked != now.asked || before.required != now.required)) {
                turners_[number].emplace(turned.number, &turned);
            }
        }
    }
}

std::vector<Conditions::Pair> Conditions::entangled() const
{
    std::map<std::pair<int, int>, Pair> pairs;
    for (const auto& [of, turners] : turners_) {
        for (const auto& [first, one] : turners) {
            for (const auto& [second, other] : turners) {
                if (first < second && !has_many_ways(*one) && !has_many_ways(*other)) {
                    pairs.emplace(std::pair{first, second}, Pair{one, other});
                }
            }
        }
    }
    std::vector<Pair> all;
    for (const auto& [numbers, pair] : pairs) {
        all.push_back(pair);
    }
    return all;
}

void Conditions::find(MapOutline& root) const
{
    each_map(root, [&](MapOutline& map) {
        find_of(map.closing, map);
        for (const auto& key : map.keys) {
            find_of(*key, map);
        }
    });
}

void Conditions::find_of(KeyOutline& key, const MapOutline& around) const
{
    bool always = true;
    bool seen = false;
    for (const auto& one : all_) {
        const auto now = sight(one, key.number);
        if (now.around && is_possible(one)) {
            seen = true;
            always = always && now.required;
        }
    }
    key.always_required = seen && always;
    const auto turners = turners_.find(key.number);
    if (key.always_required || turners == turners_.end()) {
        return;
    }
    const bool tried_together =
        turners->second.size() == 1 ||
        std::none_of(turners->second.begin(), turners->second.end(),
                     [](const auto& other) { return has_many_ways(*other.second); });
    if (!tried_together) {
        return;
    }
    for (const auto& [number, other] : turners->second) {
        if (auto path = path_below(around, *other)) {
            by_values(key, *other, std::move(*path));
        }
    }
}

void Conditions::by_values(KeyOutline& key, const KeyOutline& other,
                           std::vector<std::string> path) const
{
    std::map<std::uint16_t, Told> told;
    for (const auto& one : all_) {
        const auto now = sight(one, key.number);
        if (now.around && is_possible(one)) {
            auto& of_value = told[sight(one, other.number).value];
            of_value.always_required = of_value.always_required && now.required;
            of_value.never_asked = of_value.never_asked && !now.asked;
        }
    }
    const auto add = [&](std::vector<Condition>& to, bool Told::*holds) {
        bool all = told.size() > 1 || told.count(0) == 0;
        for (const auto& [value, of_value] : told) {
            all = all && (value == 0 || of_value.*holds);
        }
        if (all) {
            to.push_back({path, Condition::Is::present, {}});
        }
        for (const auto& [value, of_value] : told) {
            const auto& text = texts_[value];
            if (value == 0 && of_value.*holds) {
                to.push_back({path, Condition::Is::absent, {}});
            } else if (!all && of_value.*holds && tells_values_apart(other, text)) {
                to.push_back({path, Condition::Is::value, text});
            }
        }
    };
    add(key.required_when, &Told::always_required);
    add(key.refused_when, &Told::never_asked);
}

}  // namespace sim::config
